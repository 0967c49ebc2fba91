/** Painting over the part of a picture that is made anew. */
import { Undo2 } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

import { uploadSource } from '#contract/endpoints/generations';
import { maxPromptLength, sourceStrength } from '#contract/images/limits';
import { call, errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Notice } from '#ui/notice';

import { SliderField, TextArea } from './form-fields.tsx';
import { formTexts, inpaintTexts as texts } from './texts.ts';

import styles from './inpaint-dialog.module.css';

/** A place on the picture: 0 to 1 of its width and height. */
type Point = { readonly x: number; readonly y: number };

/** A line of the brush, whose width is a share of the picture's width. */
type Stroke = { readonly width: number; readonly points: readonly Point[] };

const noStrokes: readonly Stroke[] = [];

/** The brush in percent of the picture's width. */
const brushRange = { min: 2, max: 40 } as const;
const usualBrush = 12;
/** How far an arrow key moves the brush, as a share of the picture. */
const keyStep = 0.02;
/** The longer side of the mask, in pixels. Engines fit it to the picture. */
const maxMaskSide = 1536;
const percentRange = { min: sourceStrength.min * 100, max: sourceStrength.max * 100 };

type InpaintDialogProps = {
  readonly isOpen: boolean;
  /** Of the picture. */
  readonly url: string;
  /** What it was made from. */
  readonly prompt: string;
  readonly onClose: () => void;
  /** Called when the server has the mask. */
  readonly onPainted: (painted: {
    readonly maskId: string;
    readonly prompt: string;
    /** 0 to 1. */
    readonly strength: number;
  }) => void;
};

export function InpaintDialog(props: InpaintDialogProps) {
  const { isOpen, url, onClose, onPainted } = props;
  const platform = usePlatform();
  const picture = useRef<HTMLImageElement>(null);
  const [strokes, setStrokes] = useState(noStrokes);
  const [brush, setBrush] = useState<number>(usualBrush);
  /** Undefined until it is typed in: then it is what the picture was made from. */
  const [typed, setTyped] = useState<string>();
  const prompt = typed ?? props.prompt;
  const [percent, setPercent] = useState(sourceStrength.default.inpaint * 100);
  const [error, setError] = useState<string>();
  const isCancelled = useRef(false);
  const isReady = strokes.length > 0 && prompt.trim() !== '' && prompt.length <= maxPromptLength;

  const sending = useAction(async (signal) => {
    setError(undefined);
    isCancelled.current = false;
    try {
      const image = await drawMask(picture.current, strokes);
      const { id: maskId } = await call(uploadSource, { image }, signal);
      if (!signal.aborted && !isCancelled.current) {
        // What is painted stays: it may be tried again with other words.
        onPainted({ maskId, prompt: prompt.trim(), strength: percent / 100 });
      }
    } catch (failure) {
      if (!signal.aborted) {
        platform.haptic('error');
        setError(errorText(failure, texts.notSent));
      }
    }
  });

  const close = () => {
    isCancelled.current = true;
    onClose();
  };

  return (
    <Dialog
      title={texts.title}
      isOpen={isOpen}
      isWide
      onClose={close}
      actions={
        <>
          <Button kind="quiet" onClick={close}>
            {texts.cancel}
          </Button>
          <Button isBusy={sending.isBusy} disabled={!isReady} onClick={sending.run}>
            {texts.start}
          </Button>
        </>
      }
    >
      <p className={styles.hint}>{texts.hint}</p>
      <div className={styles.frame}>
        <img ref={picture} className={styles.picture} src={url} alt="" />
        <Canvas strokes={strokes} brush={brush / 100} onPaint={setStrokes} />
      </div>
      <div className={styles.row}>
        <Button
          kind="quiet"
          icon={<Undo2 aria-hidden size={18} />}
          disabled={strokes.length === 0}
          onClick={() => setStrokes(strokes.slice(0, -1))}
        >
          {formTexts.undo}
        </Button>
        <Button kind="quiet" disabled={strokes.length === 0} onClick={() => setStrokes(noStrokes)}>
          {texts.clear}
        </Button>
      </div>
      <SliderField label={texts.brush} value={brush} range={brushRange} onChange={setBrush} />
      <TextArea
        label={texts.prompt}
        rows={2}
        limit={maxPromptLength}
        autoComplete="off"
        value={prompt}
        onChange={setTyped}
      />
      <SliderField
        label={texts.strength}
        value={percent}
        range={percentRange}
        onChange={setPercent}
      />
      {error !== undefined && <Notice tone="error">{error}</Notice>}
    </Dialog>
  );
}

type CanvasProps = {
  readonly strokes: readonly Stroke[];
  /** A share of the picture's width. */
  readonly brush: number;
  readonly onPaint: (change: (before: readonly Stroke[]) => readonly Stroke[]) => void;
};

/** Lies over the picture, and shows what is marked. */
function Canvas({ strokes, brush, onPaint }: CanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDown = useRef(false);
  /** Where the keyboard's brush is; undefined until an arrow key moves it. */
  const [cursor, setCursor] = useState<Point>();

  useEffect(() => {
    const shown = canvas.current;
    if (!shown) {
      return undefined;
    }
    const draw = () => {
      const { width, height } = shown.getBoundingClientRect();
      shown.width = Math.round(width * devicePixelRatio);
      shown.height = Math.round(height * devicePixelRatio);
      const style = getComputedStyle(shown);
      paint(shown, strokes, style.color);
      if (cursor) {
        paint(shown, [{ width: brush, points: [cursor] }], style.getPropertyValue('--cursor'));
      }
    };
    draw();
    const watching = new ResizeObserver(draw);
    watching.observe(shown);
    return () => watching.disconnect();
  }, [strokes, cursor, brush]);

  // Several movements may come before the next rendering.
  const begin = (point: Point) =>
    onPaint((before) => [...before, { width: brush, points: [point] }]);
  const extend = (point: Point) =>
    onPaint((before) =>
      before.map((stroke, index) =>
        index === before.length - 1 ? { ...stroke, points: [...stroke.points, point] } : stroke,
      ),
    );
  const move = (event: KeyboardEvent) => {
    const { x, y } = cursor ?? { x: 0.5, y: 0.5 };
    const steps: Partial<Record<string, Point>> = {
      ArrowLeft: { x: x - keyStep, y },
      ArrowRight: { x: x + keyStep, y },
      ArrowUp: { x, y: y - keyStep },
      ArrowDown: { x, y: y + keyStep },
    };
    const next = steps[event.key];
    if (next) {
      event.preventDefault();
      setCursor({ x: Math.min(1, Math.max(0, next.x)), y: Math.min(1, Math.max(0, next.y)) });
    } else if (event.key === ' ') {
      event.preventDefault();
      begin({ x, y });
    }
  };

  return (
    <canvas
      ref={canvas}
      className={styles.canvas}
      // The keys of the brush are its own: screen readers pass them on.
      // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role
      role="application"
      aria-label={texts.canvas}
      tabIndex={0}
      onKeyDown={move}
      onBlur={() => setCursor(undefined)}
      onPointerDown={(event) => {
        if (event.button === 0) {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDown.current = true;
          begin(findPoint(event));
        }
      }}
      onPointerMove={(event) => {
        if (isDown.current) {
          extend(findPoint(event));
        }
      }}
      onPointerUp={() => {
        isDown.current = false;
      }}
      onPointerCancel={() => {
        isDown.current = false;
      }}
    />
  );
}

function findPoint({ clientX, clientY, currentTarget }: PointerEvent): Point {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return { x: (clientX - left) / width, y: (clientY - top) / height };
}

/** Draws the strokes over what is there. */
function paint(canvas: HTMLCanvasElement, strokes: readonly Stroke[], color: string): void {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  if (!context) {
    return;
  }
  context.strokeStyle = color;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const { width: share, points } of strokes) {
    context.lineWidth = share * width;
    context.beginPath();
    for (const { x, y } of points) {
      context.lineTo(x * width, y * height);
    }
    if (points.length === 1) {
      // A line without a length is not drawn.
      context.lineTo((points[0]?.x ?? 0) * width + 0.01, (points[0]?.y ?? 0) * height);
    }
    context.stroke();
  }
}

/** White where it is painted, black elsewhere; in the shape of the picture. */
async function drawMask(
  picture: HTMLImageElement | null,
  strokes: readonly Stroke[],
): Promise<Blob> {
  const { naturalWidth = 1, naturalHeight = 1 } = picture ?? {};
  const scale = Math.min(1, maxMaskSide / Math.max(naturalWidth, naturalHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(naturalHeight * scale));
  const context = canvas.getContext('2d');
  if (context) {
    context.fillStyle = '#000000';
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  paint(canvas, strokes, '#ffffff');
  const mask = await new Promise<Blob | null>((done) => {
    canvas.toBlob(done, 'image/png');
  });
  if (mask === null) {
    throw new Error('This browser makes no file of a canvas');
  }
  return mask;
}
