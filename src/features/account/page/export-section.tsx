/** What the user can have of all that is stored about them: a file of it, and its deletion. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Bot, Download } from 'lucide-react';
import { useRef, useState, useLayoutEffect } from 'react';
import { useNavigate } from 'react-router-dom';

import { deleteAccount } from '#contract/endpoints/account';
import {
  accountExport,
  type ExportState,
  readExport,
  startExport,
} from '#contract/endpoints/exports';
import { backendUrl, call, errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { formatDay, formatTime } from '#lib/dates';
import { useFocusKept } from '#lib/focus';
import { formatCount, joinList } from '#lib/format';
import { noticeMs, useNotices } from '#lib/notices';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { forgetUser } from '#lib/storage';
import { signOut } from '#lib/telegram-sign-in';
import { Notice } from '#ui/notice';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { useFormCall, useFormProblem } from '../form.ts';
import { ProofForm } from './proof-form.tsx';
import { accountQueries } from './queries.ts';
import { Loading, useConfirmation } from './section.tsx';
import { exportTexts as texts, deletionTexts } from './texts.ts';

import styles from './page.module.css';

const pollMs = 2000;
const fileName = 'nori-data.zip';

const exportQuery = () =>
  queryOptions({
    queryKey: ['export'],
    queryFn: ({ signal }) => call(readExport, {}, signal),
    refetchOnMount: 'always',
    // The link ends after a day.
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data } }) => (isUnderWay(data) ? pollMs : false),
  });

function isUnderWay(found: ExportState | undefined): boolean {
  return found?.state === 'waiting' || (found?.state === 'ready' && found.by_bot === 'pending');
}

/** Absent on a server without this. */
export function ExportSection() {
  const isOffered = useCapabilities().has(accountExport) === true;
  return isOffered && <Loaded />;
}

function Loaded() {
  const query = useQuery(exportQuery());
  const { data } = query;
  if (data) {
    return <Export found={data} />;
  }
  return (
    <Section heading={texts.title}>
      <Loading query={query} texts={{ loading: texts.loading, failed: texts.loadFailed }} />
    </Section>
  );
}

function Export({ found }: { readonly found: ExportState }) {
  const client = useQueryClient();
  const platform = usePlatform();
  const { has } = useCapabilities();
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState<string>();
  const { mutate, isPending, isRunning } = useFormCall(startExport, {
    onSuccess: async () => {
      void client.invalidateQueries({ queryKey: accountQueries.events().queryKey });
      await client.invalidateQueries({ queryKey: exportQuery().queryKey });
    },
  });
  const isBusy = isPending || isUnderWay(found);
  // The button goes with its press.
  useFocusKept(heading, isBusy);

  function begin(byBot: boolean): void {
    if (!isRunning()) {
      setProblem(undefined);
      mutate(
        { by_bot: byBot },
        { onError: (error) => setProblem(errorText(error, texts.startFailed)) },
      );
    }
  }

  async function download(url: string): Promise<void> {
    const { href } = new URL(url, new URL(backendUrl, window.location.href));
    setProblem(
      (await platform.download({ url: href, name: fileName })) ? undefined : texts.refused,
    );
  }

  const hasFailed = found.state === 'failed' && !isBusy;
  const shown = problem ?? (hasFailed ? texts.failed : undefined);
  return (
    <Section heading={texts.title} headingRef={heading} foot={texts.foot}>
      {found.url !== undefined && <FileCell found={found} open={download} url={found.url} />}
      {isBusy ? (
        <Cell
          before={<Spinner size="small" />}
          title={<output>{found.state === 'ready' ? texts.sending : texts.busy}</output>}
        />
      ) : (
        <>
          <Cell
            tone="accent"
            before={<Download />}
            title={found.state === 'none' ? texts.start : texts.startAgain}
            onClick={() => begin(false)}
          />
          {platform.container === 'telegram' && has('bot') === true && (
            <Cell tone="accent" before={<Bot />} title={texts.byBot} onClick={() => begin(true)} />
          )}
        </>
      )}
      {shown !== undefined && (
        <div className={styles.outcome}>
          <Notice tone="error">{shown}</Notice>
        </div>
      )}
    </Section>
  );
}

type FileCellProps = {
  readonly found: ExportState;
  readonly url: string;
  readonly open: (url: string) => Promise<void>;
};

function FileCell({ found, url, open }: FileCellProps) {
  const { bytes, expires_at: end, by_bot: byBot } = found;
  const until = formatEnd(end ?? '');
  const facts = [
    ...(bytes === undefined ? [] : [texts.megabytes(formatCount(toMegabytes(bytes)))]),
    ...(until === undefined ? [] : [texts.until(until)]),
  ];
  return (
    <Cell
      tone="accent"
      before={<Download />}
      title={texts.download}
      subtitle={
        <>
          {joinList(facts)}
          {byBot === 'sent' && (
            <>
              <br />
              <span>{texts.sent}</span>
            </>
          )}
        </>
      }
      onClick={() => void open(url)}
    />
  );
}

const toMegabytes = (bytes: number) => Math.max(1, Math.round(bytes / 1_000_000));

/** "22 Nov 2026, 14:05"; undefined if `moment` is not ISO 8601. */
function formatEnd(moment: string): string | undefined {
  const at = Date.parse(moment);
  return Number.isNaN(at)
    ? undefined
    : joinList([formatDay(at, { datesFrom: 0, style: 'medium' }), formatTime(at)]);
}

export function DeletionSection() {
  const platform = usePlatform();
  const afterAccountDeletion = useAfterAccountDeletion();
  const { mutate, isPending, isRunning } = useFormCall(deleteAccount, {
    onSuccess: afterAccountDeletion,
  });
  const state = useFormProblem({ isBusy: isPending });
  const confirm = useConfirmation({
    title: deletionTexts.question,
    message: deletionTexts.questionText,
    confirm: deletionTexts.confirm,
  });

  return (
    <Section heading={deletionTexts.title} remark={deletionTexts.whatGoes}>
      <ProofForm
        {...{ state, isRunning, confirm }}
        label={deletionTexts.title}
        submit={deletionTexts.submit}
        busy={deletionTexts.busy}
        isDanger
        failed={deletionTexts.failed}
        isBusy={isPending}
        onProof={(proof, _values, fail) =>
          mutate(proof, { onSuccess: () => platform.haptic('success'), onError: fail })
        }
      />
    </Section>
  );
}

/**
 * Returns what to do after the deletion: remove the user from the device, show a notice and go to Home.
 * The session in memory ends when this page is unmounted; if it ended earlier, the page would redirect to
 * the login.
 */
function useAfterAccountDeletion(): () => void {
  const navigate = useNavigate();
  const isMounted = useRef(false);
  const isLeaving = useRef(false);

  useLayoutEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
      if (isLeaving.current) {
        signOut();
      }
    };
  }, []);

  return () => {
    // At once: a reload before Home is shown must not find the session.
    forgetUser();
    useNotices.getState().show({
      id: 'account-deleted',
      tone: 'success',
      text: deletionTexts.deleted,
      durationMs: noticeMs.medium,
    });
    if (isMounted.current) {
      isLeaving.current = true;
      void navigate(paths.home, { replace: true });
    } else {
      signOut();
    }
  };
}
