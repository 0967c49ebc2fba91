/** Says honestly that a server without an image provider draws its pictures without AI. */
import { useCapabilities } from '#lib/capabilities';
import { Notice } from '#ui/notice';

import { generatorTexts } from './texts.ts';

const { sketch: texts } = generatorTexts;

export function EngineNotice() {
  const { imageEngine } = useCapabilities();
  return imageEngine === 'sketch' ? (
    <Notice tone="info">
      <strong>{texts.title}</strong> {texts.text} <code>PIXAI_API_KEY</code> {texts.or}{' '}
      <code>A1111_URL</code> {texts.end}
    </Notice>
  ) : null;
}
