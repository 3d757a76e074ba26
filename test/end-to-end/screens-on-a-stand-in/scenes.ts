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

export const SCENES: readonly Scene[] = [
  ...FRAME_SCENES,
  ...QUEUE_SCENES,
  ...CASE_SCENES,
  ...EDITOR_SCENES,
  ...REPORT_SCENES,
  ...SETTINGS_SCENES,
  ...SETUP_SCENES,
]
