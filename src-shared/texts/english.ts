/** The English texts of all parts. i18next knows its keys by their type; no program loads this file. */
import activity from './en/activity.json' with { type: 'json' }
import ageing from './en/ageing.json' with { type: 'json' }
import alarm from './en/alarm.json' with { type: 'json' }
import cases from './en/case.json' with { type: 'json' }
import decision from './en/decision.json' with { type: 'json' }
import delivery from './en/delivery.json' with { type: 'json' }
import editor from './en/editor.json' with { type: 'json' }
import field from './en/field.json' with { type: 'json' }
import help from './en/help.json' with { type: 'json' }
import host from './en/host.json' with { type: 'json' }
import link from './en/link.json' with { type: 'json' }
import measure from './en/measure.json' with { type: 'json' }
import newCase from './en/newCase.json' with { type: 'json' }
import part from './en/part.json' with { type: 'json' }
import privacy from './en/privacy.json' with { type: 'json' }
import queue from './en/queue.json' with { type: 'json' }
import report from './en/report.json' with { type: 'json' }
import settings from './en/settings.json' with { type: 'json' }
import setup from './en/setup.json' with { type: 'json' }
import shell from './en/shell.json' with { type: 'json' }
import state from './en/state.json' with { type: 'json' }
import submission from './en/submission.json' with { type: 'json' }
import viewer from './en/viewer.json' with { type: 'json' }

export const english = {
  activity,
  ageing,
  alarm,
  case: cases,
  decision,
  delivery,
  editor,
  field,
  help,
  host,
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

export type Texts = typeof english

declare module 'i18next' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- an interface is what can be added to
  interface CustomTypeOptions {
    resources: Texts
    defaultNS: 'shell'
    returnNull: false
  }
}
