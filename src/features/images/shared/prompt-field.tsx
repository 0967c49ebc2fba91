/** The prompt, and its rewriting by the server: on request, and to be undone. */
import { Sparkles, Undo2 } from 'lucide-react';
import { type ReactNode } from 'react';

import { maxPromptLength } from '#contract/images/limits';
import { Button, passFocusOn } from '#ui/button';

import { promptTexts } from './prompt-texts.ts';
import { TextArea } from './text-area.tsx';
import { type Enhancement, useEnhance } from './use-enhance.ts';

import styles from './prompt-field.module.css';

const nothing: readonly string[] = [];

type PromptFieldProps = {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** A picture is being started: the prompt is not rewritten meanwhile. */
  readonly isGenerating: boolean;
  /** Words that must survive a rewriting. */
  readonly protect?: readonly string[];
};

export function PromptField({
  value,
  onChange,
  isGenerating,
  protect = nothing,
}: PromptFieldProps) {
  const enhance = useEnhance({ text: value, onText: onChange, protect });

  return (
    <div className={styles.prompt}>
      <TextArea
        label={promptTexts.label}
        placeholder={promptTexts.example}
        required
        rows={4}
        enterKeyHint="enter"
        autoComplete="off"
        value={value}
        longest={maxPromptLength}
        tooLong={promptTexts.tooLong}
        onChange={onChange}
        aside={
          <Button
            kind="quiet"
            className={styles.enhance}
            icon={<Sparkles aria-hidden size={18} />}
            isBusy={enhance.state.kind === 'busy'}
            disabled={value.trim() === '' || value.length > maxPromptLength || isGenerating}
            onClick={enhance.run}
          >
            {enhance.state.kind === 'busy' ? promptTexts.enhancing : promptTexts.enhance}
          </Button>
        }
      />
      <output tabIndex={-1} className={styles.outcome}>
        <Outcome state={enhance.state}>
          <Button
            ref={passFocusOn}
            kind="quiet"
            className={styles.enhance}
            icon={<Undo2 aria-hidden size={18} />}
            onClick={enhance.undo}
          >
            {promptTexts.undo}
          </Button>
        </Outcome>
      </output>
    </div>
  );
}

function Outcome({
  state,
  children,
}: {
  readonly state: Enhancement;
  readonly children: ReactNode;
}) {
  if (state.kind === 'done') {
    return (
      <>
        <span>{state.engine === 'offline' ? promptTexts.offline : promptTexts.enhanced}</span>
        {children}
      </>
    );
  }
  return state.kind === 'failed' ? <span>{promptTexts.failed}</span> : null;
}
