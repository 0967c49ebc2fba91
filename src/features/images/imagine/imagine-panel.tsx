/** Imagine Art: the form, the result, the history, and a gallery of the styles. */
import { Check } from 'lucide-react';
import { use, useRef } from 'react';
import * as v from 'valibot';

import {
  imagineSeed,
  type ImagineStyle,
  imagineStyles,
  defaultImagineStyle,
} from '#contract/images/imagine-styles';
import { ratioNames, defaultRatio } from '#contract/images/ratios';
import { formatCount } from '#lib/format';
import { language } from '#lib/language';
import { usePlatform } from '#lib/platform';
import { storedValue } from '#lib/storage';
import { Button } from '#ui/button';
import { SelectField } from '#ui/select-field';
import { Strip } from '#ui/strip';

import { CardActionContext, getCardName, HistoryCard } from '../history/history-card.tsx';
import { HistoryPanel } from '../history/history-panel.tsx';
import { type Fact, type GalleryProps, type HistoryView } from '../history/history-view.ts';
import { describeEngine, describeMoment, describePlace } from '../history/record-words.ts';
import { historyTexts } from '../history/texts.ts';
import { EngineNotice, useAbilities, useLimits } from '../shared/abilities.tsx';
import { createDraft } from '../shared/create-draft.ts';
import { downloadPicture } from '../shared/download-picture.ts';
import { RatioPicker, SeedField } from '../shared/form-fields.tsx';
import { GenerateForm, TwoColumnLayout } from '../shared/generator-layout.tsx';
import { PromptField } from '../shared/prompt-field.tsx';
import { RecipeReader } from '../shared/recipe-reader.tsx';
import { parseSeed, type Recipe, storedSeed, toStoredSeed, withFound } from '../shared/recipe.ts';
import { type GenerationRecord } from '../shared/records.ts';
import { DownloadLink, Facts, ResultPictures } from '../shared/result-panel.tsx';
import { createSubmission, useIsBusy, useIsGenerating } from '../shared/submission.ts';
import { imagineAdapter } from './imagine-adapter.ts';
import anime from './previews/anime.webp';
import fluxDev from './previews/flux-dev.webp';
import fluxSchnell from './previews/flux-schnell.webp';
import imagineTurbo from './previews/imagine-turbo.webp';
import realistic from './previews/realistic.webp';
import sdxl from './previews/sdxl-1.0.webp';
import { imagineTexts } from './texts.ts';

import hubStyles from '../hub.module.css';
import resultStyles from '../shared/result.module.css';
import styles from './imagine.module.css';

const { form: formTexts, result: resultTexts, history: viewTexts } = imagineTexts;
const { gallery: galleryTexts, styles: styleWords } = imagineTexts;

const submission = createSubmission({
  adapter: imagineAdapter,
  findMissing: ({ prompt, style = '', ratio }) =>
    [prompt, style, ratio].includes('') ? formTexts.missing : undefined,
  onFailed: ({ prompt }) => returnPrompt(prompt),
});

export function ImaginePanel() {
  const form = useRef<HTMLDivElement>(null);
  const scrollToForm = () => form.current?.scrollIntoView({ block: 'start' });

  return (
    <div className={hubStyles.panel}>
      <TwoColumnLayout
        formRef={form}
        form={<ImagineForm />}
        submission={submission}
        result={{
          heading: resultTexts.heading,
          making: formTexts.generating,
          empty: resultTexts.empty,
          hasActions: true,
          Finished,
        }}
      />
      <div className={styles.strip}>
        <HistoryPanel
          adapter={imagineAdapter}
          view={imagineHistoryView}
          onUsedAgain={scrollToForm}
        />
      </div>
      <StyleGallery onChosen={scrollToForm} />
    </div>
  );
}

function ImagineForm() {
  const draft = useDraft();
  const platform = usePlatform();
  const isBusy = useIsBusy(submission);
  const isGenerating = useIsGenerating(submission);
  const impossible = useImpossibleRatios();
  const { promptLength, maxSeed = imagineSeed.max } = useLimits('imagine-art');
  const isSeedTooLarge = Number(draft.seed) > Number(maxSeed);

  return (
    <GenerateForm
      label={formTexts.label}
      submitText={formTexts.generate}
      busyText={formTexts.generating}
      isReady={draft.prompt.length <= promptLength && !isSeedTooLarge}
      isBusy={isBusy}
      onGenerate={() => submission.submit(toRecipe(draft))}
      onIncomplete={() => submission.sayMissing(toRecipe(draft))}
    >
      <PromptField
        value={draft.prompt}
        isGenerating={isGenerating}
        limit={promptLength}
        onChange={(prompt) => changeDraft({ prompt })}
      />
      <SelectField
        label={formTexts.style}
        value={draft.style}
        isRequired
        onChange={(value) => {
          platform.haptic('selection');
          changeDraft({ style: isStyle(value) ? value : '' });
        }}
      >
        <option value="">{formTexts.stylePlaceholder}</option>
        {imagineStyles.map((style) => (
          <option key={style} value={style}>
            {imagineTexts.styles[style].title}
          </option>
        ))}
      </SelectField>
      <RatioPicker
        value={draft.ratio}
        impossible={impossible}
        onChange={(ratio) => changeDraft({ ratio })}
      />
      <SeedField
        label={formTexts.seed}
        value={draft.seed}
        range={imagineSeed}
        error={isSeedTooLarge ? formTexts.badSeed(formatCount(Number(maxSeed))) : undefined}
        onChange={(seed) => changeDraft({ seed })}
      />
      <RecipeReader
        onRemix={(found) => applyRecipe(withFound(toRecipe(useDraft.getState()), found))}
      />
      <EngineNotice provider="imagine-art" variable="IMAGINE_API_KEY" />
    </GenerateForm>
  );
}

/** The ratios that the server's engine cannot make, and the reason. */
function useImpossibleRatios() {
  const { ratios, ratios_reason, ratios_reason_translated } = useAbilities('imagine-art');
  const reason = ratios_reason_translated ?? ratios_reason;
  const impossible = ratioNames.filter((name) => ratios && !ratios.includes(name));
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(impossible);
  return { ratios: impossible, reason: reason ?? formTexts.impossible(list) };
}

/** The title of a style; an unknown style is shown by its id. */
function getStyleTitle(style = ''): string {
  return isStyle(style) ? imagineTexts.styles[style].title : style;
}

function isStyle(value: string): value is ImagineStyle {
  return imagineStyles.some((style) => style === value);
}

function Finished({ record }: { readonly record: GenerationRecord }) {
  return (
    <div className={resultStyles.result}>
      <ResultPictures
        adapter={imagineAdapter}
        record={record}
        caption={imagineHistoryView.caption(record)}
      />
      <div className={resultStyles.actions}>
        <DownloadLink adapter={imagineAdapter} record={record} />
      </div>
      <p className={resultStyles.prompt} dir="auto">
        {record.prompt}
      </p>
      <Facts
        className={styles.details}
        facts={[
          { name: resultTexts.ratio, text: record.ratio },
          { name: resultTexts.seed, text: record.seed ?? '' },
          { name: resultTexts.style, text: getStyleTitle(record.style) },
        ]}
      />
    </div>
  );
}

const imagineHistoryView: HistoryView = {
  heading: viewTexts.heading,
  empty: viewTexts.empty,
  Gallery,
  download: downloadPicture,
  caption: ({ style }) => viewTexts.style(getStyleTitle(style)),
  words: ({ style }) => getStyleTitle(style),
  details: { title: viewTexts.details, facts: getDetails },
  deletion: { ...viewTexts.deletion, isPopup: true },
  applyRecipe,
};

function Gallery({ ref, records }: GalleryProps) {
  const onAction = use(CardActionContext);
  return (
    <Strip
      ref={ref}
      label={historyTexts.list}
      items={records}
      getKey={({ id }) => id}
      getName={getCardName}
      render={(record, tabIndex) => (
        <div className={styles.historyCard}>
          <HistoryCard record={record} tabIndex={tabIndex} />
        </div>
      )}
      onOpen={(record) => {
        if (record.status === 'completed') {
          onAction('enlarge', record);
        }
      }}
    />
  );
}

function getDetails(record: GenerationRecord): readonly Fact[] {
  const { details } = historyTexts;
  return [
    { name: details.prompt, text: record.prompt, isCopied: true },
    { name: details.style, text: getStyleTitle(record.style) },
    { name: details.modelName, text: record.modelName === record.style ? '' : record.modelName },
    { name: details.seed, text: record.seed ?? '', isCopied: true },
    { name: details.ratio, text: record.ratio },
    { name: details.adult, text: record.nsfw ? details.yes : '' },
    { name: details.created, text: describeMoment(record.timestamp) },
    { name: details.engine, text: describeEngine(record.engine) },
    { name: details.kept, text: describePlace(record.remoteId) },
  ];
}

/** Drawn by scripts/style-pictures.ts. */
const pictures: Readonly<Record<ImagineStyle, string>> = {
  anime,
  'flux-dev': fluxDev,
  'flux-schnell': fluxSchnell,
  'imagine-turbo': imagineTurbo,
  realistic,
  'sdxl-1.0': sdxl,
};
const size = { width: 640, height: 480 } as const;

type StyleGalleryProps = {
  /** A style has been put into the form. */
  readonly onChosen: () => void;
};

function StyleGallery({ onChosen }: StyleGalleryProps) {
  return (
    <section className={styles.gallery} aria-labelledby="style-gallery-heading">
      <h2 id="style-gallery-heading">{galleryTexts.heading}</h2>
      <p className={styles.lead}>{galleryTexts.lead}</p>
      <ul className={styles.list}>
        {imagineStyles.map((style) => (
          <StyleCard key={style} style={style} onChosen={onChosen} />
        ))}
      </ul>
    </section>
  );
}

function StyleCard({ style, onChosen }: StyleGalleryProps & { readonly style: ImagineStyle }) {
  const platform = usePlatform();
  const isUsed = useDraft((draft) => draft.style === style);
  const { title, tags, description } = styleWords[style];

  return (
    <li className={styles.card}>
      <img
        {...size}
        src={pictures[style]}
        alt={galleryTexts.alt(title)}
        loading="lazy"
        decoding="async"
        className={styles.picture}
      />
      <div className={styles.words}>
        <h3>{title}</h3>
        <ul className={styles.tags} aria-label={galleryTexts.tags}>
          {tags.map((tag) => (
            <li key={tag}>{tag}</li>
          ))}
        </ul>
        <p className={styles.description}>{description}</p>
        <Button
          kind={isUsed ? 'quiet' : 'plain'}
          icon={isUsed && <Check aria-hidden size={18} />}
          aria-label={isUsed ? undefined : galleryTexts.chooseStyle(title)}
          aria-pressed={isUsed}
          onClick={() => {
            platform.haptic('selection');
            changeDraft({ style });
            onChosen();
          }}
        >
          {isUsed ? galleryTexts.chosen : galleryTexts.choose}
        </Button>
      </div>
    </li>
  );
}

type Draft = {
  readonly prompt: string;
  /** Empty while none is chosen. */
  readonly style: ImagineStyle | '';
  readonly ratio: Recipe['ratio'];
  /** Decimal digits; empty when the provider chooses. */
  readonly seed: string;
};

const style = v.picklist([...imagineStyles, '']);

/** A field that cannot be read has its default. */
const stored = storedValue(
  'nori_imagine_form_state',
  v.object({
    prompt: v.fallback(v.optional(v.string(), ''), ''),
    style: v.fallback(v.optional(style, defaultImagineStyle), defaultImagineStyle),
    ratio: v.fallback(v.optional(v.picklist(ratioNames), defaultRatio), defaultRatio),
    seed: storedSeed,
  }),
);

const draft = createDraft<Draft>(
  { prompt: '', style: defaultImagineStyle, ratio: defaultRatio, seed: '' },
  {
    read: stored.read,
    write: (now) => stored.write({ ...now, seed: toStoredSeed(now.seed) }),
    onChangedElsewhere: stored.onChangedElsewhere,
  },
);

export const { useDraft, changeDraft, returnPrompt } = draft;

/** Fills the form with a recipe; `undo` restores what was in it. */
function applyRecipe(recipe: Recipe): ReturnType<typeof draft.replaceDraft> {
  const known = v.safeParse(style, recipe.style);
  return draft.replaceDraft({
    prompt: recipe.prompt,
    ratio: recipe.ratio,
    seed: parseSeed(recipe.seed ?? ''),
    ...(known.success ? { style: known.output } : {}),
  });
}

function toRecipe({ prompt, style: chosen, ratio, seed }: Draft): Recipe {
  return {
    provider: 'imagine-art',
    // A style is this provider's model.
    modelId: chosen,
    modelName: '',
    style: chosen,
    prompt: prompt.trim(),
    negativePrompt: '',
    seed: seed === '' ? undefined : seed,
    ratio,
    nsfw: false,
    loras: [],
  };
}
