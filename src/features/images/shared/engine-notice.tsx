/** Says honestly that a server without an image service draws a provider's pictures without AI. */
import { type ProviderId } from '#contract/images/providers';
import { useCapabilities } from '#lib/capabilities';
import { Notice } from '#ui/notice';

import { promptTexts } from './prompt-texts.ts';
import { useAbilities } from './use-abilities.ts';

type EngineNoticeProps = {
  readonly provider: ProviderId;
  /** What whoever runs the server may set to connect a service. */
  readonly settings: readonly string[];
};

const { sketch: texts } = promptTexts;

export function EngineNotice({ provider, settings }: EngineNoticeProps) {
  const { imageEngine } = useCapabilities();
  // Servers that do not tell one provider from another speak of the first.
  const { engine = provider === 'pixai' ? imageEngine : undefined } = useAbilities(provider);
  return engine === 'sketch' ? (
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
