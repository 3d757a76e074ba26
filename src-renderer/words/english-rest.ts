/** The words of the screens that are fetched when they are first looked at, in English. */
import activity from './en/activity.json' with { type: 'json' }
import cases from './en/case.json' with { type: 'json' }
import delivery from './en/delivery.json' with { type: 'json' }
import editor from './en/editor.json' with { type: 'json' }
import help from './en/help.json' with { type: 'json' }
import measure from './en/measure.json' with { type: 'json' }
import report from './en/report.json' with { type: 'json' }
import settings from './en/settings.json' with { type: 'json' }
import setup from './en/setup.json' with { type: 'json' }
import submission from './en/submission.json' with { type: 'json' }
import viewer from './en/viewer.json' with { type: 'json' }

export const englishRest = {
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

export type RestWords = typeof englishRest
