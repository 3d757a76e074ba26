/** What the process of the app and the test send each other, by structured clone (`serialization: 'advanced'`). */
import type { Act, AppFiles, RecordKind, Surroundings } from '../desktop.ts'

/** The name in the environment of the start as JSON; the app itself never sees it. */
export const START_VARIABLE = 'FUNDUS_COURIER_FAKE_ELECTRON'
export type Start = {
  readonly files: AppFiles
  readonly userData: string
  readonly surroundings: Surroundings
  /** Of `process.versions.electron`. */
  readonly electronVersion: string
}

/** What happens to the page of a window. */
export type PageEvent = 'loaded' | 'crashed'

export type Frame = { readonly url: string; readonly isMainFrame: boolean } | null

/** Asked of the app. */
export type Question =
  | {
      readonly kind: 'invoke'
      readonly window: number
      readonly frame: Frame
      readonly channel: string
      readonly parameters: readonly unknown[]
    }
  | {
      readonly kind: 'mayNavigate'
      readonly window: number
      readonly url: string
      readonly isMainFrame: boolean
      readonly isRedirect: boolean
    }
  | { readonly kind: 'mayOpen'; readonly window: number; readonly url: string }
  | {
      readonly kind: 'fetch'
      readonly address: string
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | null
    }
  | { readonly kind: 'mayRequest'; readonly url: string }
  | { readonly kind: 'act'; readonly act: Act }

export type Answered =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }
type Answer = { readonly kind: 'answer'; readonly number: number; readonly answer: Answered }

export type ToApp =
  | { readonly kind: 'question'; readonly number: number; readonly question: Question }
  | Answer
  | { readonly kind: 'pageEvent'; readonly window: number; readonly event: PageEvent }

/** What the app asks of the browser. */
export type WindowOrder =
  | {
      readonly kind: 'open'
      readonly window: number
      readonly width: number
      readonly height: number
      readonly preload: string | null
    }
  | { readonly kind: 'load'; readonly window: number; readonly url: string }
  | { readonly kind: 'reload' | 'destroy' | 'crash'; readonly window: number }
  | {
      readonly kind: 'send'
      readonly window: number
      readonly channel: string
      readonly parameters: readonly unknown[]
    }
  /** What Electron would grant a page now. */
  | { readonly kind: 'permissions'; readonly granted: readonly string[] }

export type FromApp =
  | { readonly kind: 'record'; readonly of: RecordKind; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'order'; readonly number: number; readonly order: WindowOrder }
  | Answer
  /** The port that serves a scheme to the browser. */
  | { readonly kind: 'scheme'; readonly scheme: string; readonly port: number }
  /** The app touched a member of electron that the fake does not have. */
  | { readonly kind: 'unknown'; readonly member: string }

/** What comes of some work, to be sent: an error travels as its message. */
export async function outcomeOf(work: () => unknown): Promise<Answered> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
  }
}
