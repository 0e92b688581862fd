import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { emptyDatabase } from '../../test/database.ts'
import { readTables, type SetAside, setAside } from './catalog.ts'
import { createLanes } from './lanes.ts'
import { createRebuild } from './rebuild.ts'

async function makeAgain(client: pg.Client, aside: SetAside): Promise<void> {
  const rebuild = createRebuild(aside, createLanes([client]), () => {})
  for (const [bytes, { name }] of (await readTables(client)).entries()) rebuild.table(name, bytes)
  await rebuild.finish(client)
}

test('loading suspends triggers and circular foreign keys, and handles generated columns and partitions', async () => {
  const database = await emptyDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(`
      create table a (id int primary key, b_id int, double int generated always as (id * 2) stored);
      create table b (id int primary key, a_id int references a);
      alter table a add foreign key (b_id) references b deferrable initially immediate;
      create table p (k int not null references a, v text) partition by hash (k);
      create table p0 partition of p for values with (modulus 1, remainder 0);
      create index "p on only v" on p (v) where v <> ' on only ';
      create unique index a_b on a (b_id) include (double) with (fillfactor = 70);
      create index b_half on b ((a_id / 2) desc) where a_id > 0;
      create function never() returns trigger language plpgsql as 'begin raise exception ''fired''; end';
      create trigger no_insert before insert on a for each row execute function never();
      create trigger no_row before insert on p for each row execute function never();
      create trigger off before insert on b for each row execute function never();
      alter table b disable trigger off;`)
    assert.deepEqual(await readTables(client), [
      { name: 'a', columns: ['id', 'b_id'], partitioned: false },
      { name: 'b', columns: ['id', 'a_id'], partitioned: false },
      { name: 'p', columns: ['k', 'v'], partitioned: true },
    ])
    const state = () =>
      client.query(`
        select conrelid::regclass::text as t, conname, condeferrable, condeferred from pg_constraint where contype = 'f'
        union all select tgrelid::regclass::text, tgname, tgenabled = 'O', null from pg_trigger where not tgisinternal
        union all select tablename, indexdef, null, null from pg_indexes where schemaname = current_schema()
        order by 1, 2`)
    const before = (await state()).rows
    await client.query('begin')
    const aside = await setAside(client, () => true)
    assert.equal((await client.query('select from pg_indexes where schemaname = current_schema()')).rowCount, 0)
    await client.query(`insert into p values (1, 'x'); insert into a values (1, 7); insert into b values (7, 1)`)
    await makeAgain(client, aside)
    assert.deepEqual((await state()).rows, before, 'as it was')
    await client.query('commit')
    await client.query('begin')
    const foreign = await setAside(client, (table) => table === 'a')
    const { rows: kept } = await client.query(
      `select distinct tablename from pg_indexes where schemaname = current_schema() order by 1`,
    )
    assert.deepEqual(kept, [{ tablename: 'b' }, { tablename: 'p' }, { tablename: 'p0' }], 'a small table keeps its own')
    await makeAgain(client, foreign)
    assert.deepEqual((await state()).rows, before, 'as it was')
    await client.query('commit')
    await client.query('begin')
    const broken = await setAside(client, () => true)
    await client.query('insert into b values (8, 99)')
    await assert.rejects(makeAgain(client, broken), /violates foreign key/)
    await client.query('rollback')
  } finally {
    await client.end()
    await database.drop()
  }
})
