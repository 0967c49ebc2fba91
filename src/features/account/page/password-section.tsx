/** Changes the password. The current one is required, because an open session alone proves too little. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useRef, useState } from 'react';

import { changePassword, passwordLength } from '#contract/endpoints/account';
import { type Answer } from '#contract/endpoints/endpoint';
import { fieldTexts } from '#contract/endpoints/field-texts';
import {
  type listPasskeys,
  passkeyLimits,
  removePasskey,
  requestPasskey,
} from '#contract/endpoints/passkeys';
import { passwordReset } from '#contract/endpoints/password-reset';
import { useCapabilities } from '#lib/capabilities';
import { useLostFocus, useFocusKept } from '#lib/focus';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { PasswordField } from '#ui/password-field';
import { Cell, Section } from '#ui/section';

import { AccountForm } from '../account-form.tsx';
import { findProblem, type Problem, toProblem, useFormProblem, useFormCall } from '../form.ts';
import { toPasskeyProblem, usePasskeysHere } from '../passkeys.ts';
import { texts as sharedTexts } from '../texts.ts';
import { makePasskey, passkeyQueries, type PasskeyOptions, usePasskeys } from './passkeys.ts';
import { ProofForm } from './proof-form.tsx';
import { accountQueries, useChangePassword } from './queries.ts';
import { UsernameForManagers, formatDayAndTime, Loading } from './section.tsx';
import {
  passwordTexts as texts,
  resetTexts,
  accountTexts,
  passkeyTexts as keyTexts,
} from './texts.ts';

import styles from './page.module.css';

export function PasswordSection() {
  const platform = usePlatform();
  const heading = useRef<HTMLHeadingElement>(null);
  const [done, setDone] = useState<string>();
  const { mutate, isPending, isRunning } = useChangePassword();
  const state = useFormProblem({ isBusy: isPending });

  const { data: hasPassword } = useQuery(accountQueries.hasPassword());

  useLostFocus(heading, done !== undefined && !isPending);

  function send(values: Readonly<Record<string, string>>, form: HTMLFormElement): void {
    const { current_password = '', new_password = '' } = values;
    const isEndingOthers = 'end_other_sessions' in values;
    setDone(undefined);
    mutate(
      { current_password, new_password, end_other_sessions: isEndingOthers },
      {
        onSuccess: () => {
          form.reset();
          setDone(isEndingOthers ? texts.changedEverywhere : texts.changed);
          platform.haptic('success');
        },
        onError: (error) => {
          const refused = toProblem(error, { fallback: texts.failed });
          const field = fieldByCode[refused.code ?? ''] ?? 'current_password';
          state.fail({ ...refused, fields: [field] });
        },
      },
    );
  }

  if (hasPassword === false) {
    return (
      <Section heading={resetTexts.set} headingRef={heading} foot={resetTexts.none}>
        <Cell tone="accent" to={paths.reset} title={resetTexts.set} />
      </Section>
    );
  }
  return (
    <Section heading={texts.title} headingRef={heading}>
      <AccountForm
        {...{ state, isRunning }}
        label={texts.title}
        isBusy={isPending}
        validate={findPasswordProblem}
        onValid={send}
      >
        {done !== undefined && !state.problem && <Notice tone="success">{done}</Notice>}
        <Fields describe={state.describe} />
        <label className={styles.check}>
          <input type="checkbox" name="end_other_sessions" defaultChecked />
          {texts.endOthers}
        </label>
        <Button kind="primary" type="submit" isWide isBusy={isPending}>
          {isPending ? texts.busy : texts.submit}
        </Button>
      </AccountForm>
      <ResetLink />
    </Section>
  );
}

/** Absent on a server that cannot set a password without the old one. */
function ResetLink() {
  const { launch } = usePlatform();
  const isOffered = useCapabilities().has(passwordReset) === true;
  return (
    isOffered && (
      <Cell
        tone="accent"
        to={paths.reset}
        title={launch.initData === undefined ? resetTexts.forgot : resetTexts.set}
      />
    )
  );
}

type FieldsProps = { readonly describe: ReturnType<typeof useFormProblem>['describe'] };

function Fields({ describe }: FieldsProps) {
  return (
    <>
      <UsernameForManagers />
      <PasswordField
        id="current-password"
        name="current_password"
        label={texts.current}
        toggleLabel={texts.showCurrent}
        autoComplete="current-password"
        required
        {...describe('current_password')}
      />
      <PasswordField
        id="new-password"
        name="new_password"
        label={texts.next}
        hint={sharedTexts.fields.newPasswordHint(passwordLength.min)}
        toggleLabel={texts.showNext}
        autoComplete="new-password"
        required
        {...describe('new_password')}
      />
      <PasswordField
        id="confirm-password"
        name="confirm_password"
        label={texts.confirmed}
        toggleLabel={texts.showConfirmed}
        autoComplete="new-password"
        required
        {...describe('confirm_password')}
      />
    </>
  );
}

/** The field with the problem by error code; all other refusals focus the first field. */
const fieldByCode: Readonly<Record<string, string>> = {
  weak_password: 'new_password',
  invalid_input: 'new_password',
};

/** Checks that no field is empty, that the passwords are equal, then the schema. */
function findPasswordProblem(values: Readonly<Record<string, string>>): Problem | undefined {
  const { current_password = '', new_password = '', confirm_password = '' } = values;
  const missing = Object.entries({ current_password, new_password, confirm_password })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0) {
    return { message: fieldTexts.allFieldsRequired, fields: missing };
  }
  if (new_password !== confirm_password) {
    return { message: texts.differ, fields: ['confirm_password'] };
  }
  return findProblem(changePassword.input, { current_password, new_password });
}

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
    <Section heading={keyTexts.title} headingRef={heading} remark={keyTexts.text}>
      {list === undefined ? (
        <Loading query={query} texts={{ loading: keyTexts.loading, failed: keyTexts.loadFailed }} />
      ) : (
        list.length > 0 && (
          <ul aria-label={keyTexts.label}>
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
            <Cell tone="accent" title={keyTexts.add} onClick={() => show('adding')} />
          )
        ) : (
          <Cell title={keyTexts.elsewhere} />
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
        subtitle={fillSlots(last_used_at === undefined ? keyTexts.added : keyTexts.used, {
          time: <time dateTime={moment}>{formatDayAndTime(moment)}</time>,
        })}
        after={
          <Button kind="quiet" aria-label={keyTexts.removeLabel(name)} onClick={onRemove}>
            {keyTexts.remove}
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
  const label = keyTexts.removeLabel(name);

  return (
    <ProofForm
      {...{ state, isRunning, label, onCancel }}
      submit={keyTexts.submitRemove}
      busy={keyTexts.busyRemove}
      isDanger
      failed={keyTexts.removeFailed}
      isBusy={isPending}
      onProof={(proof, _values, fail) =>
        mutate(
          { id, proof },
          {
            onSuccess: () => {
              platform.haptic('success');
              onDone(keyTexts.wasRemoved(name));
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
        {keyTexts.removeText}
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
      onDone(keyTexts.wasAdded(made.name));
    } catch (error) {
      const message = toPasskeyProblem(error, keyTexts.addFailed);
      state.fail({ message: message ?? keyTexts.notMade, fields: [] });
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
      label={keyTexts.add}
      submit={keyTexts.submitAdd}
      busy={keyTexts.busyAdd}
      failed={keyTexts.addFailed}
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
        label={keyTexts.name}
        hint={keyTexts.nameHint}
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
      <Notice tone="info">{keyTexts.notMade}</Notice>
      <Button kind="primary" isWide isBusy={isMaking} onClick={onPress}>
        {keyTexts.make}
      </Button>
      <Button kind="quiet" disabled={isMaking} onClick={onCancel}>
        {accountTexts.cancel}
      </Button>
    </>
  );
}
