/** `dialog`: asks nobody; the answers were given beforehand. */
import type { Records } from '../desktop.ts'
import { loud } from './loud.ts'
import { around, changeSurroundings, needsReady, record, toPlain } from './stage.ts'

type Options = {
  readonly title?: string
  readonly message?: string
  readonly detail?: string
  readonly buttons?: readonly string[]
  readonly cancelId?: number
  readonly defaultId?: number
  readonly checkboxChecked?: boolean
}

function nextAnswer(): number | readonly string[] | undefined {
  const [first, ...rest] = around().dialogAnswers
  changeSurroundings({ dialogAnswers: rest })
  return first
}

function note(type: Records['dialog']['type'], options: Options, answer: number | readonly string[]): void {
  const { title = '', message = '', detail = '', buttons = [] } = options
  record('dialog', {
    type,
    title,
    message,
    detail,
    buttons,
    answer,
    options: toPlain(options) as Readonly<Record<string, unknown>>,
  })
}

/** A window may come first. */
const optionsOf = (words: readonly unknown[]): Options => (words.at(-1) as Options | undefined) ?? {}

function showMessage(words: readonly unknown[]): number {
  needsReady('dialog')
  const options = optionsOf(words)
  const answer = nextAnswer() ?? options.cancelId ?? 0
  if (typeof answer !== 'number') throw new Error('a message is answered with the number of a button')
  note('message', options, answer)
  return answer
}

function showFiles(type: 'open' | 'save', words: readonly unknown[]): readonly string[] {
  needsReady('dialog')
  const answer = nextAnswer() ?? []
  if (typeof answer === 'number') throw new Error('a file dialog is answered with paths')
  note(type, optionsOf(words), answer)
  return answer
}

export const dialog = loud('dialog', {
  showErrorBox: (title: string, content: string) => note('error', { title, message: content }, 0),
  // A person takes a moment, and code that goes on meanwhile must be right, too.
  showMessageBox: (...words: unknown[]) =>
    new Promise((resolve) => {
      const response = showMessage(words)
      setImmediate(() => resolve({ response, checkboxChecked: optionsOf(words).checkboxChecked ?? false }))
    }),
  showMessageBoxSync: (...words: unknown[]) => showMessage(words),
  showOpenDialog: async (...words: unknown[]) => {
    const filePaths = showFiles('open', words)
    return { canceled: filePaths.length === 0, filePaths }
  },
  showOpenDialogSync: (...words: unknown[]) => {
    const paths = showFiles('open', words)
    return paths.length === 0 ? undefined : paths
  },
  showSaveDialog: async (...words: unknown[]) => {
    const [filePath = ''] = showFiles('save', words)
    return { canceled: filePath === '', filePath }
  },
})
