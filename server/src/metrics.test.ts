// The metrics, and what watches them: every alert and every panel asks for what a node tells. docs/monitoring.md.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { Counter, collectDefaultMetrics, Gauge, Histogram } from 'prom-client'
import { pluck } from '../test/pluck.ts'
import { createMetrics } from './metrics.ts'

const hosting = new URL('../../hosting/', import.meta.url)
const { registry } = createMetrics()
collectDefaultMetrics({ register: registry })

/** What Prometheus adds to each series by itself. */
const added = ['job', 'instance']
const labels = new Map<string, readonly string[]>([
  ['up', added],
  // Of the exporters of docs/monitoring.md#beside-kith.
  ['probe_success', added],
  ['probe_ssl_earliest_cert_expiry', added],
  ['node_systemd_unit_state', [...added, 'name', 'state', 'type']],
  ['node_systemd_timer_last_trigger_seconds', [...added, 'name']],
  ['pg_stat_archiver_failed_count', added],
])
for (const metric of registry.getMetricsAsArray()) {
  // prom-client's types do not name what its metrics know of themselves.
  const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] }
  const known = [...labelNames, ...added]
  labels.set(name, known)
  if (metric instanceof Histogram) {
    for (const part of ['sum', 'count']) labels.set(`${name}_${part}`, known)
    labels.set(`${name}_bucket`, [...known, 'le'])
  }
}

/** Names of metrics in an expression, each with the labels that it is chosen by. */
function* chosen(expression: string): Iterable<{ name: string; by: string[] }> {
  for (const [, name = '', matchers = ''] of expression.matchAll(
    /\b((?:kith|process|nodejs|probe|node|pg)_\w+|up\b)(?:\{([^}]*)\})?/g,
  ))
    yield { name, by: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label as string) }
}

const grouped = (expression: string): string[] =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()))

function judge(where: string, expression: string): string[] {
  const found = [...chosen(expression)]
  assert.ok(found.length > 0, `${where}: ${expression}`)
  for (const { name, by } of found) {
    assert.ok(labels.has(name), `${where} asks for ${name}`)
    for (const label of by) assert.ok(labels.get(name)?.includes(label), `${where}: ${name} has no label ${label}`)
  }
  const all = found.flatMap(({ name }) => labels.get(name) ?? [])
  for (const label of grouped(expression)) assert.ok(all.includes(label), `${where}: nothing has ${label}`)
  return found.map(({ name }) => name)
}

test('every alert uses existing metrics and labels, is documented, and fires in a test', async () => {
  const text = await readFile(new URL('prometheus/alerts.yaml', hosting), 'utf8')
  const tests = await readFile(new URL('prometheus/alerts.test.yaml', hosting), 'utf8')
  const page = await readFile(new URL('../../docs/monitoring.md', import.meta.url), 'utf8')
  const rules = text.split(/^ {6}- alert: /m).slice(1)
  assert.ok(rules.length > 10)
  for (const rule of rules) {
    const name = /^\w+/.exec(rule)?.[0] ?? ''
    assert.ok(page.includes(`\`${name}\``), `${name} is not on the page`)
    assert.ok(tests.includes(`- alertname: ${name}\n`), `${name} fires in no test`)
    const expression = /^ {8}expr: (?:\|\n)?((?:.+\n)(?: {10}.*\n)*)/m.exec(rule)?.[1] ?? ''
    judge(name, expression)
    // What a summary names must be left of what the expression sums up.
    const by = grouped(expression)
    for (const [, label = ''] of rule.matchAll(/\$labels\.(\w+)/g))
      if (by.length > 0) assert.ok(by.includes(label), `${name} names ${label}`)
  }
})

test('every panel of the dashboard uses existing metrics and labels, and every metric is shown', async () => {
  const { panels } = JSON.parse(await readFile(new URL('grafana/kith.json', hosting), 'utf8')) as {
    panels: { id: number; title: string; targets?: { expr: string; legendFormat: string }[] }[]
  }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const shown = new Set<string>()
  for (const { title, targets = [] } of panels) {
    for (const { expr, legendFormat } of targets) {
      for (const name of judge(title, expr)) shown.add(name)
      const known = grouped(expr)
      for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        if (known.length > 0) assert.ok(known.includes(label), `${title}: ${label}`)
    }
  }
  const ours = registry.getMetricsAsArray().filter(({ name }) => name.startsWith('kith_'))
  const unseen = ours.filter(({ name }) => ![name, `${name}_bucket`, `${name}_sum`].some((part) => shown.has(part)))
  assert.deepEqual(pluck(unseen, 'name'), ['kith_storage_unclaimed_total'])
})

test('names follow Prometheus conventions', () => {
  for (const metric of registry.getMetricsAsArray()) {
    if (!metric.name.startsWith('kith_')) continue
    assert.ok(metric.help, metric.name)
    assert.equal(metric.name.endsWith('_total'), metric instanceof Counter, metric.name)
    assert.ok(metric instanceof Counter || metric instanceof Gauge || metric instanceof Histogram)
  }
})
