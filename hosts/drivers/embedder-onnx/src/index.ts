export { type OnnxOptions, onnxEmbedder } from './onnx-embedder.ts';
