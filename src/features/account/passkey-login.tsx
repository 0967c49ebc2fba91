/** Logs the user in by a passkey of this device, without an ID being typed. It loads after the login screen. */
import { base64URLStringToBuffer, bufferToBase64URLString } from '@simplewebauthn/browser';
import { useState } from 'react';

import { type Answer } from '#contract/endpoints/endpoint';
import { loginWithPasskey, requestPasskeyLogin } from '#contract/endpoints/passkey-login';
import { call } from '#lib/api';
import { readKnownDevice, startSession, useSession } from '#lib/session';
import { Button } from '#ui/button';
import { Notice } from '#ui/notice';

import { passkeyLoginTexts as texts } from './passkey-texts.ts';
import { toPasskeyProblem, usePasskeysHere } from './passkeys.ts';

/** As the library's `startAuthentication`, which is larger than all else here by its messages for developers. */
async function askBrowser({
  challenge,
  ...options
}: Answer<typeof requestPasskeyLogin>['options']) {
  const found = await navigator.credentials.get({
    publicKey: { ...options, allowCredentials: [], challenge: base64URLStringToBuffer(challenge) },
  });
  if (
    !(found instanceof PublicKeyCredential) ||
    !(found.response instanceof AuthenticatorAssertionResponse)
  ) {
    throw new DOMException('', 'NotAllowedError');
  }
  const { clientDataJSON, authenticatorData, signature, userHandle } = found.response;
  return {
    id: found.id,
    rawId: found.id,
    type: 'public-key' as const,
    response: {
      clientDataJSON: bufferToBase64URLString(clientDataJSON),
      authenticatorData: bufferToBase64URLString(authenticatorData),
      signature: bufferToBase64URLString(signature),
      userHandle: bufferToBase64URLString(userHandle ?? new ArrayBuffer()),
    },
  };
}

async function logIn(): Promise<void> {
  const { options } = await call(requestPasskeyLogin, {});
  const response = await askBrowser(options);
  const answer = await call(loginWithPasskey, { response, device: readKnownDevice() });
  startSession({
    token: answer.access_token,
    telegramId: answer.telegram_id,
    device: answer.device,
  });
}

export function PasskeyLogin() {
  const isPossible = usePasskeysHere();
  const isMember = useSession().status === 'member';
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function press(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await logIn();
    } catch (error) {
      setProblem(toPasskeyProblem(error, texts.failed));
    } finally {
      setBusy(false);
    }
  }

  if (!isPossible) {
    return null;
  }
  return (
    <>
      <Button isWide isBusy={isBusy || isMember} onClick={() => void press()}>
        {texts.submit}
      </Button>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
    </>
  );
}
