/** What a host reads before it loads the rest: the switches of the kernel, without what they are switches of. */
export { isWebLink } from '../schema/web-link.ts';
export { defaultSettings, type GivenSettings, type KernelSettings, settingsOf } from './kernel-settings.ts';
export { type SettingMeaning, settingMeanings } from './setting-meanings.ts';
