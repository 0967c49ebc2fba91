/** Says honestly that a server without an image service draws a provider's pictures without AI. */
import { useCapabilities } from '#lib/capabilities';
import { Notice } from '#ui/notice';

import { promptTexts } from './prompt-texts.ts';

type EngineNoticeProps = {
  /** What whoever runs the server may set to connect a service. */
  readonly settings: readonly string[];
};

const { sketch: texts } = promptTexts;

export function EngineNotice({ settings }: EngineNoticeProps) {
  const { imageEngine } = useCapabilities();
  return imageEngine === 'sketch' ? (
    <Notice tone="info">
      <strong>{texts.title}</strong> {texts.text}{' '}
      {settings.map((setting, index) => (
        <span key={setting}>
          {index > 0 && `${texts.or} `}
          <code>{setting}</code>{' '}
        </span>
      ))}
      {texts.end}
    </Notice>
  ) : null;
}
