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
const optionsOf = (parameters: readonly unknown[]): Options =>
  (parameters.at(-1) as Options | undefined) ?? {}

function showMessage(parameters: readonly unknown[]): number {
  needsReady('dialog')
  const options = optionsOf(parameters)
  const answer = nextAnswer() ?? options.cancelId ?? 0
  if (typeof answer !== 'number') throw new Error('a message is answered with the number of a button')
  note('message', options, answer)
  return answer
}

function showFiles(type: 'open' | 'save', parameters: readonly unknown[]): readonly string[] {
  needsReady('dialog')
  const answer = nextAnswer() ?? []
  if (typeof answer === 'number') throw new Error('a file dialog is answered with paths')
  note(type, optionsOf(parameters), answer)
  return answer
}

export const dialog = loud('dialog', {
  showErrorBox: (title: string, content: string) => note('error', { title, message: content }, 0),
  // A person takes a moment, and code that goes on meanwhile must be right, too.
  showMessageBox: (...parameters: unknown[]) =>
    new Promise((resolve) => {
      const response = showMessage(parameters)
      setImmediate(() =>
        resolve({ response, checkboxChecked: optionsOf(parameters).checkboxChecked ?? false }),
      )
    }),
  showMessageBoxSync: (...parameters: unknown[]) => showMessage(parameters),
  showOpenDialog: async (...parameters: unknown[]) => {
    const filePaths = showFiles('open', parameters)
    return { canceled: filePaths.length === 0, filePaths }
  },
  showOpenDialogSync: (...parameters: unknown[]) => {
    const paths = showFiles('open', parameters)
    return paths.length === 0 ? undefined : paths
  },
  showSaveDialog: async (...parameters: unknown[]) => {
    const [filePath = ''] = showFiles('save', parameters)
    return { canceled: filePath === '', filePath }
  },
})
