/** Removes CSS rules whose classes no script of the build mentions: telegram-ui has one style sheet for all its parts. */
import { PurgeCSS } from 'purgecss';
import { type Plugin } from 'vite';

/** Words of a script that may be class names. */
const classNames = /[\w-]+/g;

/** A Vite plugin for the client's build. */
export function purgeUnusedCss(): Plugin {
  return {
    name: 'purge-unused-css',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const scripts = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map(({ code }) => ({ raw: code, extension: 'js' }));
      const purge = async (file: (typeof bundle)[string]) => {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) {
          const [purged] = await new PurgeCSS().purge({
            content: scripts,
            css: [{ raw: String(file.source) }],
            defaultExtractor: (script) => script.match(classNames) ?? [],
            // Our own style sheets are CSS modules: their class names are generated, and knip finds unused ones.
            safelist: { standard: [/^(?!tgui-)/] },
            keyframes: true,
            fontFace: true,
          });
          file.source = purged?.css ?? file.source;
        }
      };
      await Promise.all(Object.values(bundle).map(purge));
    },
  };
}
