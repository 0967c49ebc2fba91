/** Bars by day. Screen readers read the same numbers as a table. */
import { useId } from 'react';

import { formatCalendarDay } from '#lib/dates';
import { formatCount } from '#lib/format';

import { numberTexts as texts } from './texts.ts';

import styles from './numbers.module.css';

type Series = {
  readonly label: string;
  /** One for each day. */
  readonly counts: readonly number[];
};

type ChartProps = {
  readonly title: string;
  /** Such as 2026-11-27, the earliest first. */
  readonly days: readonly string[];
  /** At most two, drawn on top of each other. */
  readonly series: readonly Series[];
};

/** The chart's units: the bars fill its box, whatever its size. */
const height = 100;
/** What is not nothing can be seen. */
const minHeight = 2;
/** More days have no room for a label each. */
const maxLabelled = 7;

export function Chart({ title, days, series }: ChartProps) {
  const id = useId();
  const sums = days.map((_day, index) => sum(series.map(({ counts }) => counts[index] ?? 0)));
  const most = Math.max(...sums);

  return (
    <figure className={styles.figure} aria-labelledby={id}>
      <figcaption id={id} className={styles.caption}>
        <span className={styles.title}>{title}</span>
        <span className={styles.most}>{texts.most(most)}</span>
      </figcaption>
      <Bars days={days} series={series} most={most} />
      <Labels days={days} sums={sums} />
      {series.length > 1 && <Legend series={series} />}
      {/* A table itself is as wide as its cells. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.day}</th>
              {series.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day}>
                <th scope="row">{formatCalendarDay(day, 'whole')}</th>
                {series.map(({ label, counts }) => (
                  <td key={label}>{formatCount(counts[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

function Bars({
  days,
  series,
  most,
}: Pick<ChartProps, 'days' | 'series'> & { readonly most: number }) {
  return (
    <svg
      aria-hidden
      className={styles.bars}
      viewBox={`0 0 ${days.length} ${height}`}
      preserveAspectRatio="none"
    >
      {days.map((day, index) => {
        let top = height;
        return series.map(({ label, counts }, place) => {
          const count = counts[index] ?? 0;
          const tall = count === 0 ? 0 : Math.max((count / most) * height, minHeight);
          top -= tall;
          return (
            tall > 0 && (
              <rect
                key={`${day} ${label}`}
                className={place === 0 ? styles.first : styles.second}
                x={index + 0.14}
                y={Math.max(top, 0)}
                width={0.72}
                height={tall}
              />
            )
          );
        });
      })}
    </svg>
  );
}

/** The numbers of a week with their days; of more days, the first and the last. */
function Labels({
  days,
  sums,
}: {
  readonly days: readonly string[];
  readonly sums: readonly number[];
}) {
  return days.length <= maxLabelled ? (
    <ol aria-hidden className={styles.week}>
      {days.map((day, index) => (
        <li key={day}>
          <b>{formatCount(sums[index] ?? 0)}</b>
          <span>{formatCalendarDay(day, 'weekday')}</span>
        </li>
      ))}
    </ol>
  ) : (
    <p aria-hidden className={styles.ends}>
      {[days[0], days[Math.floor(days.length / 2)], days.at(-1)].map(
        (day) => day !== undefined && <span key={day}>{formatCalendarDay(day, 'short')}</span>,
      )}
    </p>
  );
}

function Legend({ series }: Pick<ChartProps, 'series'>) {
  return (
    <ul className={styles.legend}>
      {series.map(({ label, counts }, place) => (
        <li key={label}>
          <span aria-hidden className={place === 0 ? styles.firstKey : styles.secondKey} />
          {label}
          <b>{formatCount(sum(counts))}</b>
        </li>
      ))}
    </ul>
  );
}

type RankingProps = {
  readonly title: string;
  readonly rows: readonly {
    readonly key: string;
    readonly label: string;
    readonly count: number;
  }[];
};

/** What there was most of, with a bar behind each number. */
export function Ranking({ title, rows }: RankingProps) {
  const most = Math.max(...rows.map(({ count }) => count));
  return (
    <table className={styles.ranking}>
      <caption className={styles.title}>{title}</caption>
      <tbody>
        {rows.map(({ key, label, count }) => (
          <tr key={key}>
            <th scope="row">
              <bdi>{label}</bdi>
              <span
                aria-hidden
                className={styles.track}
                style={{ inlineSize: `${(count / most) * 100}%` }}
              />
            </th>
            <td>{formatCount(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
