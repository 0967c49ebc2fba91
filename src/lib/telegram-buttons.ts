/** Telegram's own buttons, back, settings and main: one listener each for the life of the page, and our state. */
import { type MainButton, type Platform } from './platform.ts';
import { type Bridge } from './telegram-bridge.ts';
import { type Palette } from './telegram-frame.ts';

/**
 * Screens and dialogs put their handlers on a stack; a press goes to the topmost. What the client
 * shows is sent once per task, so that a change of screens does not make the button blink.
 */
export function createFrameButton(
  bridge: Bridge,
  name: 'back' | 'settings',
): (press: () => void) => () => void {
  const stack: { readonly press: () => void }[] = [];
  let isShown = false;

  bridge.hear(`${name}_button_pressed`, () => stack.at(-1)?.press());

  const show = soon(() => {
    if (isShown !== stack.length > 0) {
      isShown = stack.length > 0;
      bridge.tell((say) => say(`web_app_setup_${name}_button`, { is_visible: isShown }));
    }
  });

  return (press) => {
    const entry = { press };
    stack.push(entry);
    show();
    return () => {
      const index = stack.indexOf(entry);
      if (index !== -1) {
        stack.splice(index, 1);
        show();
      }
    };
  };
}

/** The main button wears the palette's colours, and is hidden while no screen wants it. */
export function createMainButton(
  bridge: Bridge,
  palette: Palette,
): Pick<Platform, 'setMainButton' | 'coverMainButton'> {
  let wanted: MainButton | undefined;
  let isCovered = false;
  const reachable = () => (isCovered ? undefined : wanted);
  let lastText = '';
  let shown = '';

  bridge.hear('main_button_pressed', () => {
    const button = reachable();
    if (button?.isEnabled === true && !button.isBusy) {
      button.press();
    }
  });

  const show = soon(() => {
    const { button_color: color, button_text_color: textColor } = palette.colors();
    const button = reachable();
    const text = button?.text.trim() ?? '';
    // Some clients crash on an empty text, so a hidden button keeps its last one.
    lastText = text === '' ? lastText : text;
    if (lastText === '') {
      return;
    }
    const { isEnabled = false, isBusy = false } = button ?? {};
    const params = {
      is_visible: text !== '',
      is_active: isEnabled && !isBusy,
      is_progress_visible: isBusy,
      text: lastText,
      ...(color === undefined ? {} : { color }),
      ...(textColor === undefined ? {} : { text_color: textColor }),
    };
    if (JSON.stringify(params) !== shown) {
      shown = JSON.stringify(params);
      bridge.tell((say) => say('web_app_setup_main_button', params));
    }
  });

  palette.onChange(show);

  return {
    setMainButton(button) {
      wanted = button;
      show();
    },
    coverMainButton(isNowCovered) {
      isCovered = isNowCovered;
      show();
    },
  };
}

/** Runs once at the end of the present task, however often it is called in it. */
function soon(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (!isDue) {
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        run();
      });
    }
  };
}
