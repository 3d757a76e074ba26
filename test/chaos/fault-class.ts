/** A class of faults: a row of the table. */
import type { FailureKind } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { BodySize } from './visits.ts'
import type { ChaosScene } from './chaos-scene.ts'

export type SceneWishes = {
  /** The sizes of the visits that the camera writes; two small ones unless told. */
  readonly visits?: readonly BodySize[]
  readonly centers?: 1 | 2
  /** Does the service show free text, so that the reference is seen? Decided by the seed unless told. */
  readonly isEchoing?: boolean
  readonly resendWhenProvenAbsent?: boolean
  readonly answerTimeoutSeconds?: number
  readonly listDelayMs?: number
}

export type FaultClass = {
  readonly name: string
  /** Runs of the short run within `npm test`, and of the full one. */
  readonly runs: { readonly short: number; readonly full: number }
  readonly scene?: SceneWishes
  /** Of a fault at every step: how many steps there are, found by a run in which nothing breaks. Each is a full run. */
  readonly steps?: () => Promise<number>
  /** Why it cannot be tried here; null where it can. */
  readonly unavailable?: () => string | null
  /** What a person reads meanwhile: at least one of the sentences, in at least one run. */
  readonly tells?: {
    readonly failures?: readonly FailureKind[]
    readonly states?: readonly SubmissionState[]
    readonly refusal?: RegExp
    readonly alarms?: readonly string[]
  }
  /** Breaks it; answers how often the fault truly struck. The scene is healed behind it. */
  break(scene: ChaosScene): Promise<number>
}
