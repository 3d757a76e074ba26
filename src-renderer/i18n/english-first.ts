/** The words of the frame and of the queue, which stand on the first page, in English. */
import ageing from '../words/en/ageing.json' with { type: 'json' }
import alarm from '../words/en/alarm.json' with { type: 'json' }
import decision from '../words/en/decision.json' with { type: 'json' }
import field from '../words/en/field.json' with { type: 'json' }
import link from '../words/en/link.json' with { type: 'json' }
import newCase from '../words/en/newCase.json' with { type: 'json' }
import part from '../words/en/part.json' with { type: 'json' }
import privacy from '../words/en/privacy.json' with { type: 'json' }
import queue from '../words/en/queue.json' with { type: 'json' }
import shell from '../words/en/shell.json' with { type: 'json' }
import state from '../words/en/state.json' with { type: 'json' }

export const englishFirst = {
  ageing,
  alarm,
  decision,
  field,
  link,
  newCase,
  part,
  privacy,
  queue,
  shell,
  state,
}

export type FirstWords = typeof englishFirst
