export { createdTask, withoutContent } from './created-task.ts';
export { declaresTasks, isTaskCall, tasksExtension } from './extension.ts';
export { addTaskMethods } from './task-methods.ts';
