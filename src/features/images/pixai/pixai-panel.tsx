/** Pix-AI: the generator, and the browser of its models. */
import { TabPanel } from '#ui/tabs';

import { useHubPlace } from '../use-hub-place.ts';
import { GeneratorPanel } from './generator/generator-panel.tsx';
import { ModelBrowser } from './models/model-browser.tsx';

/** Its tabs are those of the hub's header. */
export function PixaiPanel() {
  const { view } = useHubPlace();
  return (
    <TabPanel name="pixai" selected={view}>
      {view === 'models' ? <ModelBrowser /> : <GeneratorPanel />}
    </TabPanel>
  );
}
