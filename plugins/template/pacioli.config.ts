import { defineConfig, standardPlugins } from '@pacioli/standalone';
import watchlist from './src/index.ts';

/** What `npm run dev` serves: this plugin together with those that come with Pacioli. */
export default defineConfig({ plugins: [...standardPlugins, watchlist] });
