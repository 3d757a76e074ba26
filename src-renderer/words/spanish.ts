/** All words of the screens in Spanish, under the names of the English ones. */
import type { Words } from './english.ts'
import activity from './es/activity.json' with { type: 'json' }
import ageing from './es/ageing.json' with { type: 'json' }
import alarm from './es/alarm.json' with { type: 'json' }
import cases from './es/case.json' with { type: 'json' }
import decision from './es/decision.json' with { type: 'json' }
import delivery from './es/delivery.json' with { type: 'json' }
import editor from './es/editor.json' with { type: 'json' }
import field from './es/field.json' with { type: 'json' }
import help from './es/help.json' with { type: 'json' }
import link from './es/link.json' with { type: 'json' }
import measure from './es/measure.json' with { type: 'json' }
import newCase from './es/newCase.json' with { type: 'json' }
import part from './es/part.json' with { type: 'json' }
import privacy from './es/privacy.json' with { type: 'json' }
import queue from './es/queue.json' with { type: 'json' }
import report from './es/report.json' with { type: 'json' }
import settings from './es/settings.json' with { type: 'json' }
import setup from './es/setup.json' with { type: 'json' }
import shell from './es/shell.json' with { type: 'json' }
import state from './es/state.json' with { type: 'json' }
import submission from './es/submission.json' with { type: 'json' }
import viewer from './es/viewer.json' with { type: 'json' }

export const spanish: Words = {
  activity,
  ageing,
  alarm,
  case: cases,
  decision,
  delivery,
  editor,
  field,
  help,
  link,
  measure,
  newCase,
  part,
  privacy,
  queue,
  report,
  settings,
  setup,
  shell,
  state,
  submission,
  viewer,
}
