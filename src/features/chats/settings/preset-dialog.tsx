/** Chooses a preset for a topic, and shows what it will change before it is applied. */
import { Ban, Check } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

import { settingLabel } from '#contract/chats/message-types';
import { type Preset, presets, getPresetSettings } from '#contract/chats/presets';
import { chatMoreTypes } from '#contract/endpoints/chat-activity';
import { useCapabilities } from '#lib/capabilities';
import { joinList } from '#lib/format';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { fillSlots } from '#ui/fill-slots';
import { Cell, Section } from '#ui/section';

import { presetTexts as texts } from '../message-type-texts.ts';
import { useBlocked } from '../setting-writes.ts';
import { useChangeSettings } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';

import styles from './preset-dialog.module.css';

type PresetDialogProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** The topic's title. */
  readonly topic: string;
  readonly onClose: () => void;
};

export function PresetDialog({ chatId, topicId, topic, onClose }: PresetDialogProps) {
  const id = useId();
  const change = useChangeSettings();
  const platform = usePlatform();
  const [preset, setPreset] = useState<Preset>();
  const withMore = useCapabilities().has(chatMoreTypes) === true;
  const wanted = preset === undefined ? {} : getPresetSettings(preset, { withMore });
  const names = Object.keys(wanted);
  const blocked = useBlocked(chatId, topicId, names);
  const becoming = (isBlocked: boolean) =>
    names.filter((name) => wanted[name] === isBlocked && blocked.has(name) !== isBlocked);
  const [toBlock, toAllow] = [becoming(true), becoming(false)];

  function apply(): void {
    if (preset === undefined) {
      return;
    }
    onClose();
    const topics = { [topicId]: wanted };
    void change({ chatId, kind: 'preset', preset, topics }, (count) =>
      texts.applied(texts.name[preset], topic, count),
    );
  }

  return (
    <Dialog
      title={texts.heading(topic)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {chatTexts.cancel}
          </Button>
          <Button kind="primary" disabled={toBlock.length + toAllow.length === 0} onClick={apply}>
            {texts.apply}
          </Button>
        </>
      }
    >
      <fieldset>
        <legend className="visually-hidden">{texts.choices}</legend>
        <Section>
          {presets.map((name) => (
            <Cell
              key={name}
              isLabel
              title={texts.name[name]}
              subtitle={<span id={`${id}-${name}`}>{texts.about[name]}</span>}
              after={
                <input
                  type="radio"
                  name="preset"
                  value={name}
                  checked={name === preset}
                  aria-label={texts.name[name]}
                  aria-describedby={`${id}-${name}`}
                  onChange={() => {
                    platform.haptic('selection');
                    setPreset(name);
                  }}
                />
              }
            />
          ))}
        </Section>
      </fieldset>
      <section className={styles.preview} aria-label={texts.preview} aria-live="polite">
        <h3>{texts.preview}</h3>
        {preset === undefined && <p>{texts.pick}</p>}
        {preset !== undefined && toBlock.length + toAllow.length === 0 && <p>{texts.nothing}</p>}
        <Changes
          names={toBlock}
          icon={<Ban aria-hidden size={18} className={styles.block} />}
          text={texts.willBlock(toBlock.length)}
        />
        <Changes
          names={toAllow}
          icon={<Check aria-hidden size={18} className={styles.allow} />}
          text={texts.willAllow(toAllow.length)}
        />
      </section>
    </Dialog>
  );
}

type ChangesProps = {
  readonly names: readonly string[];
  readonly icon: ReactNode;
  readonly text: string;
};

function Changes({ names, icon, text }: ChangesProps) {
  return (
    names.length > 0 && (
      <p className={styles.changes}>
        {icon}
        <span>
          {fillSlots(texts.change, {
            change: <strong>{text}</strong>,
            types: joinList(names.map(settingLabel)),
          })}
        </span>
      </p>
    )
  );
}
