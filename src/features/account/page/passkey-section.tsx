/** The passkeys of the user: adding and removing them. */
import { useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';

import { type Answer } from '#contract/endpoints/endpoint';
import {
  type listPasskeys,
  passkeyLimits,
  removePasskey,
  requestPasskey,
} from '#contract/endpoints/passkeys';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';

import { useFormCall, useFormProblem } from '../form.ts';
import { toPasskeyProblem, usePasskeysHere } from '../passkeys.ts';
import { makePasskey, passkeyQueries, type PasskeyOptions, usePasskeys } from './passkeys.ts';
import { ProofForm } from './proof-form.tsx';
import { formatDayAndTime, Loading } from './section.tsx';
import { accountTexts, passkeyTexts as texts } from './texts.ts';

import styles from './page.module.css';

type Passkey = Answer<typeof listPasskeys>['passkeys'][number];

/** The form that is open. */
type Open = 'adding' | { readonly removing: Passkey };

/** Nothing where the server has no passkeys. */
export function PasskeySection() {
  const { isOffered, list, query } = usePasskeys();
  const isPossible = usePasskeysHere();
  const heading = useRef<HTMLHeadingElement>(null);
  const [open, setOpen] = useState<Open>();
  const [done, setDone] = useState<string>();
  useFocusKept(heading, open);

  if (!isOffered) {
    return null;
  }

  function show(form: Open | undefined): void {
    setDone(undefined);
    setOpen(form);
  }

  const leave = () => show(undefined);

  function settle(text: string): void {
    setOpen(undefined);
    setDone(text);
  }

  return (
    <Section heading={texts.title} headingRef={heading} remark={texts.text}>
      {list === undefined ? (
        <Loading query={query} texts={{ loading: texts.loading, failed: texts.loadFailed }} />
      ) : (
        list.length > 0 && (
          <ul aria-label={texts.label}>
            {list.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRemove={() => show({ removing: passkey })}
              />
            ))}
          </ul>
        )
      )}
      {open !== undefined && open !== 'adding' && (
        <Removal key={open.removing.id} passkey={open.removing} onDone={settle} onCancel={leave} />
      )}
      {list !== undefined &&
        list.length < passkeyLimits.perUser &&
        (isPossible ? (
          open !== 'adding' && (
            <Cell tone="accent" title={texts.add} onClick={() => show('adding')} />
          )
        ) : (
          <Cell title={texts.elsewhere} />
        ))}
      {open === 'adding' && <Adding onDone={settle} onCancel={leave} />}
      {done !== undefined && (
        <div className={styles.outcome}>
          <Notice tone="success">{done}</Notice>
        </div>
      )}
    </Section>
  );
}

type PasskeyRowProps = { readonly passkey: Passkey; readonly onRemove: () => void };

function PasskeyRow({ passkey: { name, created_at, last_used_at }, onRemove }: PasskeyRowProps) {
  const moment = last_used_at ?? created_at;
  return (
    <li>
      <Cell
        before={<KeyRound />}
        title={<bdi>{name}</bdi>}
        subtitle={fillSlots(last_used_at === undefined ? texts.added : texts.used, {
          time: <time dateTime={moment}>{formatDayAndTime(moment)}</time>,
        })}
        after={
          <Button kind="quiet" aria-label={texts.removeLabel(name)} onClick={onRemove}>
            {texts.remove}
          </Button>
        }
      />
    </li>
  );
}

type FormProps = {
  /** Closes the form, and says what was done. */
  readonly onDone: (text: string) => void;
  readonly onCancel: () => void;
};
type RemovalProps = FormProps & { readonly passkey: Passkey };

function Removal({ passkey: { id, name }, onDone, onCancel }: RemovalProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const { mutate, isPending, isRunning } = useFormCall(removePasskey, {
    onSuccess: () => client.invalidateQueries({ queryKey: passkeyQueries.list().queryKey }),
  });
  const state = useFormProblem({ isBusy: isPending });
  const label = texts.removeLabel(name);

  return (
    <ProofForm
      {...{ state, isRunning, label, onCancel }}
      submit={texts.submitRemove}
      busy={texts.busyRemove}
      isDanger
      failed={texts.removeFailed}
      isBusy={isPending}
      onProof={(proof, _values, fail) =>
        mutate(
          { id, proof },
          {
            onSuccess: () => {
              platform.haptic('success');
              onDone(texts.wasRemoved(name));
            },
            onError: fail,
          },
        )
      }
    >
      <p>
        <strong>
          <bdi>{label}</bdi>
        </strong>{' '}
        {texts.removeText}
      </p>
    </ProofForm>
  );
}

/** First the proof, then the question of the browser, which can be opened again when it was closed. */
function Adding({ onDone, onCancel }: FormProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const request = useFormCall(requestPasskey);
  const [isMaking, setMaking] = useState(false);
  const [options, setOptions] = useState<PasskeyOptions>();
  const name = useRef('');
  const isBusy = request.isPending || isMaking;
  const state = useFormProblem({ isBusy });

  async function make(confirmed: PasskeyOptions): Promise<void> {
    setMaking(true);
    state.clear();
    try {
      const made = await makePasskey(confirmed, name.current);
      await client.invalidateQueries({ queryKey: passkeyQueries.list().queryKey });
      platform.haptic('success');
      onDone(texts.wasAdded(made.name));
    } catch (error) {
      const message = toPasskeyProblem(error, texts.addFailed);
      state.fail({ message: message ?? texts.notMade, fields: [] });
      // What the server refused is used up; what the user cancelled is not.
      setOptions(message === undefined ? confirmed : undefined);
    } finally {
      setMaking(false);
    }
  }

  if (options) {
    return (
      <div className={styles.outcome}>
        <Retry {...{ isMaking, onCancel }} onPress={() => void make(options)} />
      </div>
    );
  }
  return (
    <ProofForm
      {...{ state, isBusy, onCancel }}
      isRunning={() => isMaking || request.isRunning()}
      label={texts.add}
      submit={texts.submitAdd}
      busy={texts.busyAdd}
      failed={texts.addFailed}
      onProof={(proof, values, fail) => {
        name.current = values['name'] ?? '';
        request.mutate(
          { proof },
          { onSuccess: (answer) => void make(answer.options), onError: fail },
        );
      }}
    >
      <Field
        name="name"
        label={texts.name}
        hint={texts.nameHint}
        maxLength={passkeyLimits.nameLength}
        autoComplete="off"
      />
    </ProofForm>
  );
}

type RetryProps = Pick<FormProps, 'onCancel'> & {
  readonly isMaking: boolean;
  readonly onPress: () => void;
};

function Retry({ isMaking, onPress, onCancel }: RetryProps) {
  return (
    <>
      <Notice tone="info">{texts.notMade}</Notice>
      <Button kind="primary" isWide isBusy={isMaking} onClick={onPress}>
        {texts.make}
      </Button>
      <Button kind="quiet" disabled={isMaking} onClick={onCancel}>
        {accountTexts.cancel}
      </Button>
    </>
  );
}
