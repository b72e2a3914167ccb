export { createDeployment } from './create-deployment.ts';
