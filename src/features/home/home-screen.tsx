/** The first page: what Nori is, how much it is used, and how to start. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import {
  LayoutDashboard,
  LogIn,
  Search,
  Send,
  AtSign,
  ChartNoAxesColumn,
  Clock,
  Layers,
  Sparkles,
  Sun,
} from 'lucide-react';
import {
  useEffect,
  useState,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useId,
} from 'react';

import { useBotLink } from '#lib/bot-link';
import { brand } from '#lib/brand';
import { useIsOperator } from '#lib/operator';
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { ButtonLink, OutsideLink, Button } from '#ui/button';
import { Logo } from '#ui/logo';
import { Mascot } from '#ui/mascot';

import { texts } from './texts.ts';
import type { FigureListProps, Usage } from './usage-parts.tsx';

import heroStyles from './hero.module.css';
import styles from './home-screen.module.css';
import phoneStyles from './phone-panel.module.css';
import sceneStyles from './scenes.module.css';
import boxStyles from './usage-box.module.css';

export function HomeScreen() {
  return (
    <div className={styles.home}>
      <Hero />
      <UsageSection />
      <TelegramSection />
      <CreateAccount />
    </div>
  );
}

const iconSize = 20;

/** What Nori is, and the first buttons. Inside Telegram it greets the user. */
function Hero() {
  const session = useSession();
  const { launch, openTelegramLink } = usePlatform();
  const { firstName } = launch;
  const isOperator = useIsOperator();
  const { href, isKnown } = useBotLink();
  const isNewcomer = session.status === 'guest' && session.isNewcomer;

  return (
    <section className={heroStyles.hero}>
      <div className={heroStyles.words}>
        <h1 className={heroStyles.headline}>
          {firstName === undefined ? titles.home : <bdi>{texts.greeting(firstName)}</bdi>}
        </h1>
        <p className={heroStyles.lead}>{texts.summary}</p>
        <div className={heroStyles.actions} data-pending={session.status === 'unknown'}>
          <OutsideLink
            className={heroStyles.main}
            href={href}
            reasonId="bot-not-set"
            icon={<Send aria-hidden="true" size={iconSize} />}
            onOpen={openTelegramLink}
          >
            {texts.openBot}
          </OutsideLink>
          {session.status === 'member' ? (
            <ButtonLink
              className={heroStyles.ghost}
              to={paths.dashboard}
              icon={<LayoutDashboard aria-hidden="true" size={iconSize} />}
            >
              {titles.dashboard}
            </ButtonLink>
          ) : (
            <ButtonLink
              className={`${heroStyles.ghost} ${heroStyles.login}`}
              to={isNewcomer ? paths.signup : paths.login}
              icon={<LogIn aria-hidden="true" size={iconSize} />}
            >
              {texts.login}
            </ButtonLink>
          )}
          <ButtonLink
            className={heroStyles.ghost}
            to={paths.features}
            icon={<Search aria-hidden="true" size={iconSize} />}
          >
            {titles.features}
          </ButtonLink>
        </div>
        {brand.bot.href === undefined && (
          // Always in the page, so that nothing moves when the server has answered.
          <p
            id="bot-not-set"
            className={heroStyles.note}
            data-shown={isKnown && href === undefined}
          >
            {isOperator ? texts.setBot : texts.noBot}
          </p>
        )}
      </div>
      <div className={heroStyles.scenes}>
        <Scenes />
      </div>
    </section>
  );
}

/** Decoration: the mascot and three small scenes of what Nori does. */
function Scenes() {
  return (
    <div className={sceneStyles.stage} aria-hidden="true">
      <Mascot className={sceneStyles.mascot} />
      <p className={sceneStyles.chat}>
        <b>/status</b> {texts.scenes.place}
      </p>
      <div className={sceneStyles.picture} />
      <p className={sceneStyles.player}>
        <span className={sceneStyles.bars}>
          <i />
          <i />
          <i />
          <i />
        </span>
        {texts.scenes.player}
      </p>
    </div>
  );
}

/** Links to the bot and to the updates channel, and on a desktop a QR code for the phone. */
function TelegramSection() {
  const { href } = useBotLink();
  const { openTelegramLink } = usePlatform();
  const isOperator = useIsOperator();

  return (
    <section className={`${styles.section} ${styles.panel}`} aria-labelledby="in-telegram">
      <div className={styles.words}>
        <h2 id="in-telegram">{texts.telegram.heading}</h2>
        <p>{texts.telegram.lead}</p>
        <div className={styles.links}>
          <OutsideLink
            kind="primary"
            href={href}
            reasonId="bot-not-set"
            icon={<Send aria-hidden="true" size={iconSize} />}
            onOpen={openTelegramLink}
          >
            {texts.openBot}
          </OutsideLink>
          <OutsideLink
            href={brand.updates.href}
            reasonId="updates-not-set"
            onOpen={openTelegramLink}
          >
            {texts.telegram.updates}
          </OutsideLink>
        </div>
        {brand.updates.href === undefined && (
          <p id="updates-not-set" className={styles.note}>
            {isOperator
              ? texts.telegram.setUpdates(brand.updates.variable)
              : texts.telegram.noUpdates}
          </p>
        )}
      </div>
      <PhonePanel href={href} />
    </section>
  );
}

/** The style sheet hides the panel on other devices, by the same media query. */
const desktop = '(hover: hover) and (pointer: fine) and (width >= 768px)';

/** A QR code that opens the bot on a phone. Until the bot is known, the logo. */
function PhonePanel({ href }: { readonly href: string | undefined }) {
  const code = useQrCode(href);

  return (
    <div className={phoneStyles.panel}>
      {code === undefined ? (
        <Logo className={phoneStyles.mark} />
      ) : (
        <figure className={phoneStyles.figure}>
          <svg
            role="img"
            aria-label={texts.telegram.qrCode(code.href)}
            viewBox={`0 0 ${code.size} ${code.size}`}
            className={phoneStyles.code}
          >
            <path d={code.path} />
          </svg>
          <figcaption>
            <strong>{texts.telegram.scan}</strong>
            {texts.telegram.scanHint}
          </figcaption>
        </figure>
      )}
    </div>
  );
}

type QrCode = { readonly href: string; readonly size: number; readonly path: string };

/** Draws a QR code as one path of unit squares, without the margin that scanners need. */
function drawQrCode({
  data,
  size,
}: {
  readonly data: readonly boolean[][];
  readonly size: number;
}) {
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return { size, path };
}

/** The QR code of an address. The encoder is loaded only on a desktop, where a camera can see the code. */
function useQrCode(href: string | undefined): QrCode | undefined {
  const { container } = usePlatform();
  const target = container === 'web' ? href : undefined;
  const [code, setCode] = useState<QrCode>();

  useEffect(() => {
    if (target !== undefined && window.matchMedia(desktop).matches) {
      import('uqr').then(
        ({ encode }) =>
          setCode({ href: target, ...drawQrCode(encode(target, { ecc: 'M', border: 0 })) }),
        // The buttons beside it open the same address.
        () => undefined,
      );
    }
  }, [target]);

  return code?.href === target ? code : undefined;
}

/** For visitors: what an account is for, and links to log in and to sign up. */
function CreateAccount() {
  const session = useSession();
  const { launch } = usePlatform();
  // With launch data, Telegram is about to sign the user in.
  const isVisitor =
    session.status === 'guest' || (session.status === 'unknown' && launch.initData === undefined);
  if (!isVisitor) {
    return null;
  }

  return (
    <section
      className={`${styles.section} ${styles.account}`}
      data-pending={session.status === 'unknown'}
      aria-labelledby="create-account"
    >
      <div className={styles.intro}>
        <h2 id="create-account">{texts.account.heading}</h2>
        <p>{texts.account.lead}</p>
      </div>
      <div className={styles.links}>
        <ButtonLink to={paths.login}>{texts.login}</ButtonLink>
        <ButtonLink kind="primary" to={paths.signup}>
          {texts.signup}
        </ButtonLink>
      </div>
    </section>
  );
}

const loadParts = () => import('./usage-parts.tsx');

/** If the chunk does not arrive, the page does without the part. */
const nothing = () => ({ default: () => null });
const FigureList = lazy<ComponentType<FigureListProps>>(() =>
  loadParts().then((parts) => ({ default: parts.FigureList }), nothing),
);
const FirstSteps = lazy<ComponentType>(() =>
  loadParts().then((parts) => ({ default: parts.FirstSteps }), nothing),
);

const usage = () =>
  queryOptions({
    queryKey: ['usage'],
    // The schema of the answer is loaded after the first paint.
    queryFn: async ({ signal }) => (await loadParts()).fetchUsage(signal),
    // The figures are not worth a delay.
    retry: false,
  });

type Outcome = {
  readonly data: Usage | undefined;
  /** Also true while figures that could not be loaded are loaded again. */
  readonly isKnown: boolean;
  readonly isLoading: boolean;
  /** Loads the figures again; undefined unless they could not be loaded. */
  readonly retry: (() => void) | undefined;
};

function useUsage(): Outcome {
  const { data, isError, isFetched, isFetching, isPending, refetch } = useQuery(usage());
  const hasFailed = isError && data === undefined;
  return {
    data,
    isKnown: isFetched,
    isLoading: isPending || (hasFailed && isFetching),
    retry: hasFailed ? () => void refetch({ cancelRefetch: false }) : undefined,
  };
}

const cards = [
  { ...texts.cards.multiPurpose, Icon: Layers, tone: 'accent' },
  { ...texts.cards.generate, Icon: Sparkles, tone: 'ume' },
  { ...texts.cards.inline, Icon: AtSign, tone: 'info' },
  { ...texts.cards.always, Icon: Clock, tone: 'yuzu' },
] as const;

function UsageSection() {
  const { data, isKnown, isLoading, retry } = useUsage();
  const isDemo = data?.isDemo === true;
  const { total = [], today = [] } = data ?? {};
  const hasFigures = !isKnown || total.length > 0;
  const describe = (empty: string) => {
    if (isLoading) {
      return texts.usage.loading;
    }
    return data ? empty : texts.usage.failed;
  };

  return (
    <section className={styles.section} aria-labelledby="usage">
      <div className={styles.intro}>
        <h2 id="usage">{texts.usage.heading}</h2>
        <p>{texts.usage.lead}</p>
      </div>
      <div className={boxStyles.boxes}>
        <UsageBox
          title={texts.usage.total}
          icon={<ChartNoAxesColumn aria-hidden="true" size={iconSize} />}
          figures={total}
          note={describe(texts.usage.empty)}
          isShort={!hasFigures}
          isDemo={isDemo}
          retry={retry}
        />
        <UsageBox
          title={texts.usage.today}
          icon={<Sun aria-hidden="true" size={iconSize} />}
          figures={today}
          note={describe(texts.usage.emptyToday)}
          isShort={isKnown && today.length === 0}
          isDemo={isDemo}
          retry={retry}
        />
        {!hasFigures && (
          <Suspense fallback={null}>
            <FirstSteps />
          </Suspense>
        )}
      </div>
      <ul className={styles.cards}>
        {cards.map(({ title, body, Icon, tone }) => (
          <li key={title} className={styles.card}>
            <span className={styles.icon} data-tone={tone}>
              <Icon aria-hidden="true" />
            </span>
            <h3>{title}</h3>
            <p>{body}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The height of the box is made for this many rows. */
const collapsedRows = 6;

type UsageBoxProps = Pick<Outcome, 'retry'> & {
  readonly title: string;
  readonly icon: ReactNode;
  readonly figures: FigureListProps['figures'];
  /** The line instead of figures when there are none. */
  readonly note: string;
  /** There are no figures that need room. */
  readonly isShort: boolean;
  readonly isDemo: boolean;
};

/** One list of figures: what was used, and how often. */
function UsageBox(props: UsageBoxProps) {
  const { title, icon, figures, note, isShort, isDemo, retry } = props;
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const count = figures.length;

  return (
    <section className={boxStyles.box} data-short={isShort || undefined} aria-labelledby={id}>
      <h3 id={id} className={boxStyles.title}>
        {icon}
        {title}
      </h3>
      <Suspense fallback={<Note text={texts.usage.loading} />}>
        {count > 0 ? (
          <FigureList figures={isExpanded ? figures : figures.slice(0, collapsedRows)} />
        ) : (
          <Note text={note} />
        )}
      </Suspense>
      {retry && (
        <Button kind="quiet" className={boxStyles.more} onClick={retry}>
          {texts.usage.retry}
        </Button>
      )}
      {count > collapsedRows && (
        <Button
          kind="quiet"
          className={boxStyles.more}
          aria-expanded={isExpanded}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? texts.usage.showFewer : texts.usage.showAll(count)}
        </Button>
      )}
      {isDemo && <span className={boxStyles.demo}>{texts.usage.demo}</span>}
    </section>
  );
}

function Note({ text }: { readonly text: string }) {
  return <p className={boxStyles.remark}>{text}</p>;
}
