/** The words of the screens that are fetched when they are first looked at, in Spanish. */
import type { RestWords } from './english-rest.ts'
import activity from './es/activity.json' with { type: 'json' }
import cases from './es/case.json' with { type: 'json' }
import delivery from './es/delivery.json' with { type: 'json' }
import editor from './es/editor.json' with { type: 'json' }
import help from './es/help.json' with { type: 'json' }
import measure from './es/measure.json' with { type: 'json' }
import report from './es/report.json' with { type: 'json' }
import settings from './es/settings.json' with { type: 'json' }
import setup from './es/setup.json' with { type: 'json' }
import submission from './es/submission.json' with { type: 'json' }
import viewer from './es/viewer.json' with { type: 'json' }

export const spanishRest: RestWords = {
  activity,
  case: cases,
  delivery,
  editor,
  help,
  measure,
  report,
  settings,
  setup,
  submission,
  viewer,
}
