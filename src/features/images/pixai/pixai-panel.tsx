/** Pix-AI: the generator, and the browser of its models. */
import { usePlatform } from '#lib/platform';
import { TabPanel, Tabs } from '#ui/tabs';

import { type PixaiView, useHubPlace } from '../use-hub-place.ts';
import { GeneratorPanel } from './generator/generator-panel.tsx';
import { ModelBrowser } from './models/model-browser.tsx';

import styles from '../hub.module.css';

const tabs = [
  { id: 'generator', label: 'Generator' },
  { id: 'models', label: 'Models' },
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
    <div className={styles.views}>
      <div>
        <Tabs name="pixai" label="Pix-AI" tabs={tabs} selected={view} onSelect={select} />
      </div>
      <TabPanel name="pixai" selected={view}>
        {view === 'models' ? <ModelBrowser /> : <GeneratorPanel />}
      </TabPanel>
    </div>
  );
}
