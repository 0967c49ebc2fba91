/** Signs a person up: the account's details first, then the code that the bot sent. */
import { useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';

import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { Card } from '#ui/card';
import { Notice } from '#ui/notice';

import { CreateAccount, type Details } from './create-account.tsx';
import { useRegistration } from './registration.ts';
import { otpTexts, signupTexts } from './signup-texts.ts';
import { texts } from './texts.ts';
import { VerifyOtp } from './verify-otp.tsx';

import styles from './account.module.css';

/** The step has an address, so that Back, reload and the container's back button keep their meaning. */
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
            {signupTexts.waitingCode(registration.telegramId)}{' '}
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

/** Inside Telegram a newcomer is greeted by name. */
function Greeting() {
  const session = useSession();
  const { launch } = usePlatform();
  const isNewcomer = session.status === 'guest' && session.isNewcomer;
  return (
    <p className={styles.lead}>
      {isNewcomer ? signupTexts.newcomer(launch.firstName) : signupTexts.lead}
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
