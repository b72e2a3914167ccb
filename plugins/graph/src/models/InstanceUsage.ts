import { model, nullable } from '@pacioli/core';
import { Type } from 'typebox';
import databaseStorageEntry from './DatabaseStorageEntry.ts';
import storageItem from './StorageItem.ts';

export default model('InstanceUsage', {
  limit_gb: Type.Number(),
  status: Type.String(),
  node_count: Type.Optional(nullable(Type.Integer())),
  total_storage_gb: Type.Optional(nullable(Type.Number())),
  usage_percentage: Type.Optional(nullable(Type.Number())),
  databases: Type.Optional(Type.Array(databaseStorageEntry)),
  items: Type.Optional(Type.Array(storageItem)),
});
