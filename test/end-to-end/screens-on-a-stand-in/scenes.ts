/**
 * Every screen in every state that it can be in: what is looked at on pictures, judged by axe in both themes, and
 * searched for English where Spanish is spoken.
 */
import { CASE_SCENES } from './case-scenes.ts'
import { EDITOR_SCENES } from './editor-scenes.ts'
import { FRAME_SCENES } from './frame-scenes.ts'
import { QUEUE_SCENES } from './queue-scenes.ts'
import { REPORT_SCENES } from './report-scenes.ts'
import type { Scene } from './scene.ts'
import { SETTINGS_SCENES } from './settings-scenes.ts'
import { SETUP_SCENES } from './setup-scenes.ts'

export const SCENE_ROOMS = {
  frame: FRAME_SCENES,
  queue: QUEUE_SCENES,
  case: CASE_SCENES,
  editor: EDITOR_SCENES,
  reports: REPORT_SCENES,
  settings: SETTINGS_SCENES,
  setup: SETUP_SCENES,
} as const satisfies Record<string, readonly Scene[]>

export type SceneRoom = keyof typeof SCENE_ROOMS

export const SCENES: readonly Scene[] = Object.values(SCENE_ROOMS).flat()
