/** Pix-AI: the generator, and the models that it works with. */
import { usePlatform } from '#lib/platform';
import { TabPanel, Tabs } from '#ui/tabs';

import { hubTexts } from '../hub-texts.ts';
import { type PixaiView, useHubPlace } from '../use-hub-place.ts';
import { GeneratorPanel } from './generator/generator-panel.tsx';
import { ModelBrowser } from './models/model-browser.tsx';

import styles from './pixai.module.css';

const tabs = [
  { id: 'generator', label: hubTexts.views.generator },
  { id: 'models', label: hubTexts.views.models },
] as const;

export function PixaiPanel() {
  const platform = usePlatform();
  const { view, openView } = useHubPlace();

  function select(next: PixaiView): void {
    if (next !== view) {
      platform.haptic('selection');
    }
    openView(next);
  }

  return (
    <div className={styles.panel}>
      <div className={styles.views}>
        <Tabs
          name="pixai"
          label={hubTexts.viewsLabel}
          tabs={tabs}
          selected={view}
          onSelect={select}
        />
      </div>
      <TabPanel name="pixai" selected={view}>
        {view === 'models' ? <ModelBrowser /> : <GeneratorPanel />}
      </TabPanel>
    </div>
  );
}
