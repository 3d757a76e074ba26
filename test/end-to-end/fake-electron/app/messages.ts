/** What the process of the app and the test tell each other. Sent by structured clone (`serialization: 'advanced'`). */
import type { Act, AppFiles, RecordKind, Surroundings } from '../desktop.ts'

/** Given in the environment, as JSON, under this name; the app itself never sees it. */
export const START_VARIABLE = 'FUNDUS_COURIER_STAND_IN'
export type Start = {
  readonly files: AppFiles
  readonly userData: string
  readonly surroundings: Surroundings
  /** The version that `process.versions.electron` tells. */
  readonly electronVersion: string
  /** How long main.js may take to run to its end before it is taken for one that waits for itself. */
  readonly mainWithinMs: number
}

/** What a page or the browser tells of one window. */
export type PageEvent =
  | { readonly kind: 'loaded' | 'firstPaint' | 'crashed' | 'unresponsive' | 'responsive' }
  | { readonly kind: 'loadFailed'; readonly url: string; readonly reason: string }

/** A thing done for the answer; each question has a number. */
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
  | {
      readonly kind: 'mayOpen'
      readonly window: number
      readonly url: string
      readonly frameName: string
      readonly features: string
    }
  | {
      readonly kind: 'fetch'
      readonly address: string
      readonly method: string
      readonly headers: Readonly<Record<string, string>>
      readonly body: string | null
    }
  | {
      readonly kind: 'mayRequest'
      readonly url: string
      readonly method: string
      readonly resourceType: string
    }
  | {
      readonly kind: 'download'
      readonly window: number
      /** Of the downloads of this window. */
      readonly download: number
      readonly url: string
      readonly fileName: string
    }
  | { readonly kind: 'act'; readonly act: Act }
export type Frame = { readonly url: string; readonly isMainFrame: boolean } | null

export type ToApp =
  | { readonly kind: 'question'; readonly number: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: Answered }
  | { readonly kind: 'pageEvent'; readonly window: number; readonly event: PageEvent }
  /** `ipcRenderer.send`. */
  | {
      readonly kind: 'message'
      readonly window: number
      readonly frame: Frame
      readonly channel: string
      readonly parameters: readonly unknown[]
    }

export type Answered =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

/** What the app asks of the browser. */
export type WindowOrder =
  | {
      readonly kind: 'open'
      readonly window: number
      readonly width: number
      readonly height: number
      readonly preload: string | null
      readonly isDark: boolean
    }
  | { readonly kind: 'load'; readonly window: number; readonly url: string }
  | { readonly kind: 'reload' | 'destroy'; readonly window: number }
  | {
      readonly kind: 'send'
      readonly window: number
      readonly channel: string
      readonly parameters: readonly unknown[]
    }
  /** What Electron would grant a page now. */
  | { readonly kind: 'permissions'; readonly granted: readonly string[] }
  | { readonly kind: 'dark'; readonly isDark: boolean }
  | { readonly kind: 'evaluate'; readonly window: number; readonly code: string }
  | { readonly kind: 'crash'; readonly window: number }
  | {
      readonly kind: 'finishDownload'
      readonly window: number
      readonly download: number
      readonly path: string | null
    }

export type FromApp =
  | { readonly kind: 'record'; readonly of: RecordKind; readonly record: Readonly<Record<string, unknown>> }
  | { readonly kind: 'order'; readonly number: number; readonly order: WindowOrder }
  | { readonly kind: 'answer'; readonly number: number; readonly answer: Answered }
  /** The address that stands for a scheme in the browser. */
  | { readonly kind: 'scheme'; readonly scheme: string; readonly port: number }
  /** The app touched a member of electron that the stand-in does not have. */
  | { readonly kind: 'unknown'; readonly member: string }
