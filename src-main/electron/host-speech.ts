/**
 * Which language the tray, the notices and the dialogs speak: that of the screens, so that one computer does not speak
 * two. Whoever chose a language on the screens chose it for all; else `--lang`, else the system.
 *
 * The screens keep the choice in their own store, which the main process cannot read, and dialogs may be due before
 * there is a window. So the window tells, and what it told last is kept beside the app's other small files.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Logger } from '../station/ports.ts'
import { hostLanguageFor, isHostLanguage, type HostLanguage } from './words/host-language.ts'
import { hostWords, type HostWords } from './words/host-words.ts'
import { errorCode } from '../station/lib/errors.ts'

/** `auto`: nobody has chosen a language. */
type LanguageChoice = HostLanguage | 'auto'

export type HostLanguageSetting = {
  /** The words of now; ask anew for each text, a person may choose another language at any time. */
  texts(): HostWords
  /** Takes what was chosen on the screens; what is no language that the host speaks changes nothing. */
  choose(choice: unknown): void
  /** Runs after each change of the language. */
  onChanged(listener: () => void): void
}

/** May be opened once the app is ready; never rejects: a choice that cannot be read is none. */
export async function openLanguageSetting(options: {
  /** Where the choice is kept. */
  readonly path: string
  /** `--lang` of the command line. */
  readonly requested: string | null
  /** What the system speaks, the first wish first. */
  readonly system: readonly string[]
  readonly logger: Logger
}): Promise<HostLanguageSetting> {
  const { path, requested, system, logger } = options
  let choice = await readChoice(path)
  const listeners = new Set<() => void>()
  const language = (): HostLanguage =>
    choice === 'auto' ? hostLanguageFor(requested === null ? system : [requested, ...system]) : choice
  return {
    texts: () => hostWords(language()),
    choose: (next) => {
      if (next === choice || !(next === 'auto' || isHostLanguage(next))) return
      const before = language()
      choice = next
      saveChoice(path, next).catch(() => logger.warn('the language could not be remembered'))
      if (language() !== before) for (const listener of listeners) listener()
    },
    onChanged: (listener) => void listeners.add(listener),
  }
}

async function readChoice(path: string): Promise<LanguageChoice> {
  try {
    const saved: unknown = JSON.parse(await readFile(path, 'utf8'))
    return isHostLanguage(saved) ? saved : 'auto'
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return 'auto'
    throw error
  }
}

async function saveChoice(path: string, choice: LanguageChoice): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(choice))
}
