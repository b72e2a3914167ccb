export { cutResult, orientationTools } from './decisions.ts';
export { type LoopPlan, runToolLoop } from './tool-loop.ts';
