/**
 * The texts that the host shows itself, and their language: the tray, notices, dialogs, and what a second start
 * reports.
 */
import { join } from 'node:path'
import { app, dialog } from 'electron'
import { createInstance, type i18n, type Resource, type TFunction } from 'i18next'
import { z } from 'zod'
import englishHost from '../../src-shared/texts/en/host.json' with { type: 'json' }
import englishManaged from '../../src-shared/texts/en/managed.json' with { type: 'json' }
import spanishHost from '../../src-shared/texts/es/host.json' with { type: 'json' }
import spanishManaged from '../../src-shared/texts/es/managed.json' with { type: 'json' }
import spanishStart from '../../src-shared/texts/es/start.json' with { type: 'json' }
import {
  isLanguage,
  type Language,
  languageFor,
  TEXT_OPTIONS,
  withPluralForms,
} from '../../src-shared/texts/texts.ts'
import { type Message, phrase } from '../../src-shared/wording.ts'
import { readJsonFile, writeDurably } from '../station/lib/files.ts'
import { serially } from '../station/lib/schedule.ts'
import { type Logger, systemClock } from '../station/ports.ts'
import { openLogFile } from './log.ts'
import type { SecondStart } from './single-instance.ts'

/** The texts in one language. Ask again for each text: a person may choose another language. */
export type HostTexts = {
  readonly language: Language
  readonly t: TFunction<['host', 'managed']>
  /** What the station reports before there are screens: why it cannot open, and what a recovery did. */
  readonly messageOf: (message: Message) => string
}

/** Nothing is loaded, so all texts are there when this returns. */
function translatorOf(lng: Language, resources: Resource[string]): i18n {
  const translator = createInstance()
  void translator.init({ ...TEXT_OPTIONS, initAsync: false, lng, resources: { [lng]: resources } })
  return translator
}

const TRANSLATORS: Readonly<Record<Language, i18n>> = {
  // A message of the station has its English with it.
  en: translatorOf('en', { host: englishHost, managed: englishManaged }),
  es: translatorOf(
    'es',
    withPluralForms('es', { host: spanishHost, managed: spanishManaged, start: spanishStart }),
  ),
}

export function hostTexts(language: Language): HostTexts {
  const translator = TRANSLATORS[language]
  return {
    language,
    t: translator.getFixedT(language, ['host', 'managed']),
    messageOf: ({ message, wording }) => (wording && phrase(translator, wording)) ?? message,
  }
}

/** `auto`: no language was chosen. */
type LanguageChoice = Language | 'auto'

export type HostLanguageSetting = Awaited<ReturnType<typeof openLanguageSetting>>

/**
 * The language of the tray, the notices and the dialogs: the one chosen on the screens, else `--lang`, else the
 * system's. The screens report theirs, because the main process cannot read their store, and dialogs may come before a
 * window: so the last report is stored. May be opened once the app is ready; never rejects: a choice that cannot be read is
 * none.
 */
export async function openLanguageSetting(options: {
  readonly path: string
  readonly requested: string | null
  /** What the system speaks, the first wish first. */
  readonly system: readonly string[]
  readonly logger: Logger
}) {
  const { path, requested, system, logger } = options
  const saved = await readJsonFile(path, z.unknown()).catch(() => null)
  let choice: LanguageChoice = isLanguage(saved) ? saved : 'auto'
  const inTurn = serially()
  const listeners = new Set<() => void>()
  const language = (): Language =>
    choice === 'auto' ? languageFor(requested === null ? system : [requested, ...system]) : choice
  return {
    texts: () => hostTexts(language()),
    /** Takes what was chosen on the screens; what is no language that the host speaks changes nothing. */
    choose: (next: unknown): void => {
      if (next === choice || !(next === 'auto' || isLanguage(next))) return
      const before = language()
      choice = next
      inTurn(() => writeDurably(path, JSON.stringify(next))).catch(() =>
        logger.warn('the language could not be remembered'),
      )
      if (language() !== before) for (const listener of listeners) listener()
    },
    onChanged: (listener: () => void): void => void listeners.add(listener),
  }
}

export type SecondStartSource = {
  on(event: 'second-instance', listener: (event: unknown, args: readonly string[]) => void): unknown
  on(event: 'activate', listener: () => void): unknown
}

/** Shows the window, also one still to come; unless the login started the second one, which no one asked to see. */
export function onSecondStart(app: SecondStartSource, logger: Logger, show: () => void): void {
  app.on('second-instance', (_event, args) => {
    const isHidden = args.includes('--hidden')
    logger.info('it was started a second time', { isWindowShown: !isHidden })
    if (!isHidden) show()
  })
  app.on('activate', show)
}

export type ReportedStart = Exclude<SecondStart, { kind: 'stale' | 'running' }>

export function describeSecondStart({ kind, ...values }: ReportedStart, { t }: HostTexts): string {
  return t(`life.${kind}`, values)
}

/** After Electron is ready: before that, Linux shows no dialog. */
export async function showSecondStart(why: ReportedStart, language: string | null): Promise<void> {
  const folder = app.getPath('userData')
  // Beside the lock that is reported: the station's own log is the first instance's.
  const logger = openLogFile(join(folder, 'second-starts'), systemClock)
  logger.warn('not started, because another instance has the lock', { why: why.kind })
  const setting = await openLanguageSetting({
    path: join(folder, 'language.json'),
    requested: language,
    system: app.getPreferredSystemLanguages(),
    logger,
  })
  dialog.showErrorBox('Fundus Courier', describeSecondStart(why, setting.texts()))
}
