/** Removes the CSS that no script of the build needs: telegram-ui has one style sheet, and one set of variables, for all its parts. */
import fs from 'node:fs';
import path from 'node:path';
import { PurgeCSS } from 'purgecss';
import { type Plugin } from 'vite';

/** Words of a script that may be class names. */
const classNames = /[\w-]+/g;

/** A Vite plugin for the client's build. Style sheets that the folder `known` has are left alone. */
export function purgeUnusedCss(known?: string): Plugin {
  return {
    name: 'purge-unused-css',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const scripts = Object.values(bundle)
        .filter((file) => file.type === 'chunk')
        .map(({ code }) => ({ raw: code, extension: 'js' }));
      const purge = async (file: (typeof bundle)[string]) => {
        const isPurged = known !== undefined && fs.existsSync(path.join(known, file.fileName));
        if (file.type === 'asset' && file.fileName.endsWith('.css') && !isPurged) {
          const [purged] = await new PurgeCSS().purge({
            content: scripts,
            css: [{ raw: String(file.source) }],
            defaultExtractor: (script) => script.match(classNames) ?? [],
            // Our own style sheets are CSS modules: their class names are generated, and knip finds unused ones.
            safelist: { standard: [/^(?!tgui-)/] },
            keyframes: true,
            fontFace: true,
          });
          file.source = withoutLightDark(
            withoutUnusedVariables(purged?.css ?? String(file.source)),
          );
        }
      };
      await Promise.all(Object.values(bundle).map(purge));
    },
  };
}

/** Without variables of the library that no rule reads, and without its values for those that our own style sheet sets. */
function withoutUnusedVariables(css: string): string {
  const used = new Set(Array.from(css.matchAll(/var\((--tgui--[\w-]+)/g), ([, name]) => name));
  const ours = css.replaceAll(/\.tgui-[^{}]*\{[^{}]*\}/g, '');
  const isNeeded = (name: string) => used.has(name) && !ours.includes(`${name}:`);
  const left = css.replaceAll(/\.tgui-[^{}]*\{[^{}]*\}/g, (rule) =>
    rule.replaceAll(/(--tgui--[\w-]+):[^;}]*;?/g, (declaration, name: string) =>
      isNeeded(name) ? declaration : '',
    ),
  );
  return left === css ? withoutEmptyRules(css) : withoutUnusedVariables(left);
}

/** Without what the minifier adds for the function `light-dark()`, unless something calls it. */
function withoutLightDark(css: string): string {
  return css.includes('var(--lightningcss-')
    ? css
    : css.replaceAll(/--lightningcss-(?:light|dark):[^;}]*;?/g, '');
}

function withoutEmptyRules(css: string): string {
  const left = css.replaceAll(/[^{};]+\{\}/g, '');
  return left === css ? css : withoutEmptyRules(left);
}
