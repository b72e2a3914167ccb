/** The settings of the kernel as a separate entry point, so that a host can check them before it loads the kernel. */
export { isWebLink } from '../schema/web-link.ts';
export { defaultSettings, type GivenSettings, type KernelSettings, settingsOf } from './kernel-settings.ts';
export { type SettingMeaning, settingMeanings } from './setting-meanings.ts';
