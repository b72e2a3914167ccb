// Written by `npm run gen`. Do not edit.
import type { PluginParts } from '@pacioli/core';
import createPortfolioBlock from './operations/create-portfolio-block.ts';
import createSecurity from './operations/create-security.ts';
import deletePortfolioBlock from './operations/delete-portfolio-block.ts';
import deleteSecurity from './operations/delete-security.ts';
import updatePortfolioBlock from './operations/update-portfolio-block.ts';
import updateSecurity from './operations/update-security.ts';
import holdings from './queries/holdings.ts';
import portfolioBlock from './queries/portfolioBlock.ts';
import portfolios from './queries/portfolios.ts';
import position from './queries/position.ts';
import positions from './queries/positions.ts';
import securities from './queries/securities.ts';
import security from './queries/security.ts';
import getInstrumentTerms from './routes/get-instrument-terms.ts';
import getPortfolioHoldings from './routes/get-portfolio-holdings.ts';
import listInstruments from './routes/list-instruments.ts';
import portfolioCreatedEvent from './events/portfolio-created.ts';
import portfolioDeletedEvent from './events/portfolio-deleted.ts';
import portfolioUpdatedEvent from './events/portfolio-updated.ts';
import positionsChangedEvent from './events/positions-changed.ts';
import positionsDisposedEvent from './events/positions-disposed.ts';
import positionsOpenedEvent from './events/positions-opened.ts';
import securityCreatedEvent from './events/security-created.ts';
import securityDeactivatedEvent from './events/security-deactivated.ts';
import securityUpdatedEvent from './events/security-updated.ts';
import archivePositions from './commands/archive-positions.ts';
import holdingsCommand from './commands/holdings.ts';
import importPortfolio from './commands/import-portfolio.ts';
import { Benchmark } from './analytical/Benchmark.ts';
import { ENTITY_HAS_PORTFOLIO } from './analytical/ENTITY_HAS_PORTFOLIO.ts';
import { ENTITY_ISSUES_SECURITY } from './analytical/ENTITY_ISSUES_SECURITY.ts';
import { MarketData } from './analytical/MarketData.ts';
import { PORTFOLIO_BENCHMARKED_AGAINST } from './analytical/PORTFOLIO_BENCHMARKED_AGAINST.ts';
import { PORTFOLIO_HAS_POSITION } from './analytical/PORTFOLIO_HAS_POSITION.ts';
import { PORTFOLIO_HAS_TRADE } from './analytical/PORTFOLIO_HAS_TRADE.ts';
import { POSITION_IN_SECURITY } from './analytical/POSITION_IN_SECURITY.ts';
import { Portfolio } from './analytical/Portfolio.ts';
import { Position } from './analytical/Position.ts';
import { SECURITY_HAS_MARKET_DATA } from './analytical/SECURITY_HAS_MARKET_DATA.ts';
import { Security } from './analytical/Security.ts';
import { TRADE_CREATES_POSITION } from './analytical/TRADE_CREATES_POSITION.ts';
import { TRADE_INVOLVES_SECURITY } from './analytical/TRADE_INVOLVES_SECURITY.ts';
import { Trade } from './analytical/Trade.ts';

export const all = {
  operations: [createPortfolioBlock, createSecurity, deletePortfolioBlock, deleteSecurity, updatePortfolioBlock, updateSecurity],
  queries: [holdings, portfolioBlock, portfolios, position, positions, securities, security],
  routes: [getInstrumentTerms, getPortfolioHoldings, listInstruments],
  events: [portfolioCreatedEvent, portfolioDeletedEvent, portfolioUpdatedEvent, positionsChangedEvent, positionsDisposedEvent, positionsOpenedEvent, securityCreatedEvent, securityDeactivatedEvent, securityUpdatedEvent],
  commands: [archivePositions, holdingsCommand, importPortfolio],
  nodes: [Benchmark, MarketData, Portfolio, Position, Security, Trade],
  relationships: [ENTITY_HAS_PORTFOLIO, ENTITY_ISSUES_SECURITY, PORTFOLIO_BENCHMARKED_AGAINST, PORTFOLIO_HAS_POSITION, PORTFOLIO_HAS_TRADE, POSITION_IN_SECURITY, SECURITY_HAS_MARKET_DATA, TRADE_CREATES_POSITION, TRADE_INVOLVES_SECURITY],
} as const satisfies PluginParts;
