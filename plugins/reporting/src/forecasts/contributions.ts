import type { Contribution } from '@pacioli/core';
import { forecastBlockType } from './forecast-block-type.ts';
import { forecastViewer } from './forecast-viewer.ts';

/** The block type of forecasts and its view. */
export const contributions: readonly Contribution[] = [forecastBlockType, forecastViewer];
