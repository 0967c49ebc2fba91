/** What an endpoint answered: the Response tab, and the Preview tab when there is something to show or play. */
import { MoveLeft } from 'lucide-react';
import { useState } from 'react';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Spinner } from '#ui/spinner';
import { TabPanel, Tabs } from '#ui/tabs';

import { AnswerView } from './answer-view.tsx';
import { ErrorBox } from './error-box.tsx';
import { Preview } from './preview.tsx';
import { texts } from './texts.ts';
import { type Place } from './use-place.ts';
import { type RunState } from './use-run.ts';

import styles from './answer.module.css';
import shared from './playground.module.css';

type ResponsePanelProps = {
  readonly endpoint: PublicEndpoint;
  readonly current: RunState;
  readonly onCancel: () => void;
  readonly place: Place;
};

export function ResponsePanel({ endpoint, current, onCancel, place }: ResponsePanelProps) {
  return (
    <section className={shared.response} aria-labelledby="results">
      <h2 id="results" tabIndex={-1} className="visually-hidden">
        {texts.results}
      </h2>
      <Button
        kind="quiet"
        className={shared.back}
        icon={<MoveLeft aria-hidden size={18} />}
        onClick={place.hideResponse}
      >
        {texts.backToForm}
      </Button>
      {/* Always there, so that it is heard when it has something to say. */}
      <output className={current.state === 'executing' ? styles.waiting : 'visually-hidden'}>
        {current.state === 'executing' && (
          <>
            <Spinner size="small" />
            {texts.executing}
          </>
        )}
        {current.state === 'answered' &&
          [
            texts.status(current.answer.status),
            texts.ms(current.answer.ms),
            texts.size(current.answer.bytes),
          ].join(', ')}
      </output>
      {current.state === 'executing' && (
        <Button className={shared.cancelHere} onClick={onCancel}>
          {texts.cancel}
        </Button>
      )}
      <Outcome endpoint={endpoint} current={current} />
    </section>
  );
}

function Outcome({ endpoint, current }: Pick<ResponsePanelProps, 'endpoint' | 'current'>) {
  switch (current.state) {
    case 'idle':
      return <p className={shared.empty}>{texts.empty}</p>;
    case 'cancelled':
      return <p className={shared.empty}>{texts.cancelled}</p>;
    case 'failed':
      return <ErrorBox reason={current.reason} hint={current.hint} />;
    case 'answered':
      return <Answered endpoint={endpoint} answer={current.answer} />;
    case 'executing':
    default:
      return null;
  }
}

type AnsweredProps = {
  readonly endpoint: PublicEndpoint;
  readonly answer: Extract<RunState, { state: 'answered' }>['answer'];
};

function Answered({ endpoint, answer }: AnsweredProps) {
  const [selected, setSelected] = useState<'response' | 'preview'>('response');
  const { preview } = answer;
  const tabs = [
    { id: 'response', label: texts.response } as const,
    ...(preview ? [{ id: 'preview', label: texts.preview } as const] : []),
  ];
  return (
    <>
      <Tabs
        name="answer"
        label={texts.results}
        tabs={tabs}
        selected={selected}
        onSelect={(id) => {
          getPlatform().haptic('selection');
          setSelected(id);
        }}
      />
      <TabPanel name="answer" selected={selected} className={shared.answer}>
        {selected === 'preview' && preview ? (
          <Preview name={endpoint.name} isVeiled={endpoint.is18plus} {...preview} />
        ) : (
          <AnswerView endpoint={endpoint} answer={answer} />
        )}
      </TabPanel>
    </>
  );
}
