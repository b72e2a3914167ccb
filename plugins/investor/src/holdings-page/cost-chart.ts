import { escapeMarkup } from '@pacioli/core';
import { amountText } from '../values/index.ts';
import type { HeldGroup } from './held-groups.ts';

/** Kinds with a bar of their own; the others share one. */
const maxBars = 12;

const width = 640;
const rowHeight = 26;
const barStart = 240;
/** The space for the amount at the end of the longest bar. */
const amountWidth = 130;

interface Bar {
  readonly title: string;
  readonly cents: bigint;
}

/** A bar chart of the cost of each kind, drawn as SVG. Its description has the figures for readers who cannot see it. */
export function costChart(kinds: readonly HeldGroup[], currency: string): string {
  const bars = barsOf(kinds);
  const longest = longestOf(bars);
  if (longest === 0n) return '';
  const height = bars.length * rowHeight + 8;
  const description = bars.map(({ title, cents }) => `${title}: ${amountText(cents)} ${currency}`).join('; ');
  return [
    `<svg role="img" aria-labelledby="chart-title chart-description" viewBox="0 0 ${width} ${height}">`,
    '<title id="chart-title">Cost basis by kind of security</title>',
    `<desc id="chart-description">${escapeMarkup(description)}.</desc>`,
    ...bars.map((bar, index) => barMarkup(bar, { index, longest })),
    '</svg>',
  ].join('\n');
}

function barsOf(kinds: readonly HeldGroup[]): readonly Bar[] {
  const bars = kinds.map(({ title, totals }) => ({ title, cents: totals.costBasis })).filter(({ cents }) => cents > 0n);
  if (bars.length <= maxBars) return bars;
  const rest = bars.slice(maxBars - 1).reduce((sum, { cents }) => sum + cents, 0n);
  return [...bars.slice(0, maxBars - 1), { title: 'Other kinds', cents: rest }];
}

function longestOf(bars: readonly Bar[]): bigint {
  let longest = 0n;
  for (const { cents } of bars) if (cents > longest) longest = cents;
  return longest;
}

function barMarkup({ title, cents }: Bar, { index, longest }: { index: number; longest: bigint }): string {
  const top = index * rowHeight + 4;
  // Thousandths of the longest bar keep the division exact before the one to a length.
  const length = (Number((cents * 1_000n) / longest) / 1_000) * (width - barStart - amountWidth);
  const middle = top + rowHeight / 2;
  return [
    `<text class="label" x="${barStart - 8}" y="${middle}">${escapeMarkup(shortened(title))}</text>`,
    `<rect x="${barStart}" y="${top + 4}" width="${Math.max(length, 1).toFixed(1)}" height="${rowHeight - 8}"/>`,
    `<text class="amount" x="${(barStart + Math.max(length, 1) + 6).toFixed(1)}" y="${middle}">${amountText(cents)}</text>`,
  ].join('');
}

const maxLabelChars = 36;

function shortened(title: string): string {
  return title.length > maxLabelChars ? `${title.slice(0, maxLabelChars - 1)}…` : title;
}
