/** `dialog`: no person is asked; the answers are in the surroundings. */
import { around, changeSurroundings, needsReady, record, strict, toPlain } from './link.ts'

type Options = {
  readonly message?: string
  readonly detail?: string
  readonly buttons?: readonly string[]
  readonly cancelId?: number
  readonly checkboxChecked?: boolean
}

function nextAnswer(): number | undefined {
  needsReady('dialog')
  const [first, ...rest] = around().dialogAnswers
  changeSurroundings({ dialogAnswers: rest })
  return first
}

function recordDialog(options: Options): void {
  const { message = '', detail = '', buttons = [] } = options
  const plain = toPlain(options) as Readonly<Record<string, unknown>>
  record('dialog', { message, detail, buttons, options: plain })
}

/** A window may come first. */
const optionsOf = (parameters: readonly unknown[]): Options =>
  (parameters.at(-1) as Options | undefined) ?? {}

export const dialog = strict('dialog', {
  showErrorBox: (_title: string, content: string) => recordDialog({ message: content }),
  // A person takes a moment, and code that continues meanwhile must be right, too.
  showMessageBox: (...parameters: unknown[]) =>
    new Promise((resolve) => {
      const options = optionsOf(parameters)
      const response = nextAnswer() ?? options.cancelId ?? 0
      recordDialog(options)
      setImmediate(() => resolve({ response, checkboxChecked: options.checkboxChecked ?? false }))
    }),
  showOpenDialog: async (...parameters: unknown[]) => {
    needsReady('dialog')
    recordDialog(optionsOf(parameters))
    const filePaths = around().chosenPaths
    return { canceled: filePaths.length === 0, filePaths }
  },
})
