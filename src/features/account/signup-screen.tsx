/** Creates an account: the details first, then the code that the bot has sent. */
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';

import { passwordLength, register } from '#contract/endpoints/account';
import { fieldTexts } from '#contract/endpoints/field-texts';
import { holdClosing } from '#lib/closing';
import { useMainButton } from '#lib/main-button';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { tabMarks } from '#lib/storage';
import { SubmitButton } from '#ui/button';
import { Card } from '#ui/card';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { PasswordField } from '#ui/password-field';

import { AccountForm, TelegramIdField } from './account-form.tsx';
import { findProblem, type Problem, toProblem, useFormProblem } from './form.ts';
import { useKeptEmail, useLaunchProof, useRegister, useRegistration } from './registration.ts';
import { otpTexts, signupTexts } from './signup-texts.ts';
import { texts } from './texts.ts';
import { VerifyOtp } from './verify-otp.tsx';

import styles from './account.module.css';

/** The step has an address, so that Back, a reload and the container's back button work. */
const verifyPath = `${paths.signup}?step=verify`;

export function SignupScreen() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const [search] = useSearchParams();
  const registration = useRegistration();
  const [details, setDetails] = useState<Details>();

  if (search.get('step') === 'verify' && registration) {
    return (
      <div className={styles.narrow}>
        <Card>
          <VerifyOtp registration={registration} />
          <p className={styles.elsewhere}>
            <Link className={styles.link} to={paths.signup} state={state}>
              {otpTexts.back}
            </Link>
          </p>
          <LoginLink />
        </Card>
      </div>
    );
  }

  return (
    <div className={styles.narrow}>
      <Card>
        <h1>{signupTexts.title}</h1>
        <Greeting />
        {registration && (
          <Notice tone="info">
            {registration.isSent !== false && (
              <>{signupTexts.waitingCode(registration.telegramId)} </>
            )}
            <Link className={styles.link} to={verifyPath} state={state}>
              {signupTexts.enterCode}
            </Link>
          </Notice>
        )}
        <CreateAccount
          initial={details}
          onRegistered={(typed) => {
            setDetails(typed);
            void navigate(verifyPath, { state });
          }}
        />
        <LoginLink />
      </Card>
    </div>
  );
}

/** Inside Telegram a new user is greeted by name. */
function Greeting() {
  const session = useSession();
  const { launch } = usePlatform();
  const isNewcomer = session.status === 'guest' && session.isNewcomer;
  return (
    <p className={styles.lead}>
      {isNewcomer
        ? launch.firstName === undefined
          ? signupTexts.newcomer
          : signupTexts.newcomerNamed(launch.firstName)
        : signupTexts.lead}
    </p>
  );
}

function LoginLink() {
  const { state } = useLocation();
  return (
    <p className={styles.elsewhere}>
      {signupTexts.haveAccount}{' '}
      <Link className={styles.link} to={paths.login} state={state}>
        {texts.logIn}
      </Link>
    </p>
  );
}

/** The values of the form when the user returns to it; passwords are not kept. */
type Details = { readonly telegramId: string; readonly email: string };

type CreateAccountProps = {
  readonly initial: Details | undefined;
  readonly onRegistered: (typed: Details) => void;
};

function CreateAccount({ initial, onRegistered }: CreateAccountProps) {
  const { mutate, isPending, isRunning } = useRegister();
  const proof = useLaunchProof();
  const state = useFormProblem({ isBusy: isPending });
  const { keptEmail, watch } = useTyped();
  const hasMainButton = useMainButton({
    text: isPending ? signupTexts.busy : signupTexts.submit,
    isEnabled: !isPending,
    isBusy: isPending,
    press: () => state.form.current?.requestSubmit(),
  });

  function send(values: Readonly<Record<string, string>>): void {
    const { telegram_id = '', email = '', password = '' } = values;
    mutate(
      { telegram_id, email, password, ...proof },
      {
        onSuccess: () => onRegistered({ telegramId: telegram_id.trim(), email }),
        onError: (error) => {
          const refused = toProblem(error, { fallback: signupTexts.failed });
          state.fail({ ...refused, fields: [fieldByCode[refused.code ?? ''] ?? 'telegram_id'] });
        },
      },
    );
  }

  return (
    <AccountForm
      {...{ state, isRunning }}
      isBusy={isPending}
      validate={findSignupProblem}
      onTyping={watch}
      onValid={send}
    >
      <TelegramIdField initial={initial?.telegramId} {...state.describe('telegram_id')} />
      <Field
        id="email"
        name="email"
        type="email"
        label={signupTexts.email}
        autoComplete="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        defaultValue={initial?.email ?? keptEmail}
        required
        {...state.describe('email')}
      />
      <PasswordField
        id="new-password"
        name="password"
        label={texts.fields.password}
        hint={texts.fields.newPasswordHint(passwordLength.min)}
        toggleLabel={texts.fields.showPassword}
        autoComplete="new-password"
        required
        {...state.describe('password')}
      />
      <PasswordField
        id="confirm-password"
        name="confirm_password"
        label={signupTexts.confirmPassword}
        toggleLabel={signupTexts.showConfirmPassword}
        autoComplete="new-password"
        required
        {...state.describe('confirm_password')}
      />
      <SubmitButton
        text={signupTexts.submit}
        busyText={signupTexts.busy}
        isBusy={isPending}
        isElsewhere={hasMainButton}
      />
    </AccountForm>
  );
}

/**
 * Asks before closing while something typed would be lost. The e-mail is kept in the tab, so that a
 * reload does not lose it; passwords never are.
 */
function useTyped() {
  const keptEmail = useKeptEmail();
  const [isDirty, setIsDirty] = useState(false);

  useEffect(() => (isDirty ? holdClosing() : undefined), [isDirty]);

  return {
    keptEmail,
    watch: (form: HTMLFormElement) => {
      const fields = [...form.elements].filter((field) => field instanceof HTMLInputElement);
      setIsDirty(fields.some(({ value, defaultValue }) => value !== defaultValue));
      tabMarks.write('email', fields.find(({ name }) => name === 'email')?.value);
    },
  };
}

/** The field with the problem by error code; all other refusals focus the first field. */
const fieldByCode: Readonly<Record<string, string>> = { weak_password: 'password' };

/** Checks that no field is empty, that the passwords are equal, then the schema. */
function findSignupProblem(values: Readonly<Record<string, string>>): Problem | undefined {
  const { password = '', confirm_password: confirmed = '' } = values;
  const found = findProblem(register.input, values);
  const missing = found?.message === fieldTexts.allFieldsRequired ? found.fields : [];
  const allMissing = confirmed === '' ? [...missing, 'confirm_password'] : missing;
  if (allMissing.length > 0) {
    return { message: fieldTexts.allFieldsRequired, fields: allMissing };
  }
  if (password !== confirmed) {
    return { message: signupTexts.passwordsDiffer, fields: ['confirm_password'] };
  }
  return found;
}
