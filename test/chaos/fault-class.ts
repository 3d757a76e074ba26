/** A class of faults: a row of the table. */
import type { FailureKind } from '../../src-shared/failure.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { ChaosScene } from './chaos-scene.ts'
import type { SceneWishes } from './scene-wishes.ts'

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
