/** An endpoint of the public API, and the rules for its values that form, URL and server share. */
import * as v from 'valibot';

import { mistakeTexts as texts } from './texts.ts';

/** The endpoint from whose answer the options of a select are read. */
type OptionsFrom = {
  /** The endpoint that lists them. */
  readonly endpointId: string;
  /** The field of its answer that holds the list. */
  readonly field: 'categories' | 'characters';
  /** The parameter of this form whose value that endpoint needs in its path. */
  readonly needs?: string;
};

export type Parameter = {
  readonly name: string;
  readonly type: 'text' | 'textarea' | 'url' | 'number' | 'select';
  readonly required: boolean;
  readonly description: string;
  readonly placeholder?: string;
  /** The initial value of the form; the server uses it when the parameter is absent. */
  readonly defaultValue?: string;
  readonly options?: readonly string[];
  readonly optionsFrom?: OptionsFrom;
  /** In characters. */
  readonly maxLength: number;
  /** Of a `url`: the sites that are allowed, including their subdomains. */
  readonly sites?: readonly string[];
};

type Example = {
  readonly name: string;
  readonly description: string;
  /** Parameter → the value that Load puts into the form. */
  readonly parameters: Readonly<Record<string, string>>;
};

type AnswerSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>;

export type PublicEndpoint = {
  readonly id: string;
  readonly name: string;
  readonly method: 'GET';
  /** Parameters in it are written `:category`. */
  readonly path: `/${string}`;
  readonly description: string;
  readonly category: string;
  readonly parameters: readonly Parameter[];
  readonly examples: readonly Example[];
  /** The kind of file to which a successful answer links. */
  readonly preview?: 'image' | 'audio';
  /** For adults only: the user confirms their age before it is run. */
  readonly is18plus: boolean;
  /** Not listed: it only fills the selects of other endpoints. */
  readonly isSupporting?: boolean;
  readonly answer: AnswerSchema;
};

export type Values = Readonly<Record<string, string | undefined>>;

/** The names of the parameters in the path of an endpoint. */
export function pathNames({ path }: Pick<PublicEndpoint, 'path'>): readonly string[] {
  return path
    .split('/')
    .filter((part) => part.startsWith(':'))
    .map((part) => part.slice(1));
}

/** The path and query of a request, without the base. Empty values are left out. */
export function requestPath(
  endpoint: Pick<PublicEndpoint, 'path' | 'parameters'>,
  values: Values,
): string {
  const inPath = pathNames(endpoint);
  const path = inPath.reduce<string>(
    (filled, name) => filled.replace(`:${name}`, encodeURIComponent(values[name] ?? '')),
    endpoint.path,
  );
  const query = new URLSearchParams(
    endpoint.parameters.flatMap(({ name }) => {
      const value = values[name] ?? '';
      return value === '' || inPath.includes(name) ? [] : [[name, value]];
    }),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The mistake in a parameter's value, as a sentence for users; undefined when the value is valid. */
export function findMistake(parameter: Parameter, value: string | undefined): string | undefined {
  const { name, required, maxLength, type, options, sites } = parameter;
  const text = value?.trim() ?? '';
  if (text === '') {
    return required ? texts.missing(name) : undefined;
  }
  if (text.length > maxLength) {
    return texts.tooLong(name, maxLength);
  }
  if (type === 'number' && !/^[1-9]\d*$/.test(text)) {
    return texts.notWhole(name);
  }
  if (options && !options.includes(text)) {
    return texts.unknown(name, options.join(', '));
  }
  return type === 'url' ? findLinkMistake(name, text, sites) : undefined;
}

function findLinkMistake(
  name: string,
  text: string,
  sites: readonly string[] | undefined,
): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    return texts.noLink(name);
  }
  const isKnown = sites?.some((site) => url.hostname === site || url.hostname.endsWith(`.${site}`));
  return isKnown === false ? texts.otherSite(name, sites?.[0] ?? '') : undefined;
}

/** The schema of a request: trims values, fills in defaults, and drops parameters that the endpoint does not have. */
export function toInputSchema({
  parameters,
}: Pick<PublicEndpoint, 'parameters'>): v.GenericSchema<
  Record<string, unknown>,
  Record<string, string>
> {
  return v.pipe(
    v.object(
      Object.fromEntries(
        parameters.map((parameter) => [
          parameter.name,
          v.pipe(
            v.optional(v.string(), ''),
            v.rawCheck(({ dataset, addIssue }) => {
              const message = dataset.typed ? findMistake(parameter, dataset.value) : undefined;
              if (message !== undefined) {
                addIssue({ message });
              }
            }),
            v.transform((value) => value.trim() || (parameter.defaultValue ?? '')),
          ),
        ]),
      ),
    ),
  );
}
