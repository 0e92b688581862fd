"""OpenStack Swift with its S3 API in one process and one temporary folder, for tests: no daemons, one replica.

Prints the port as a line of JSON once it serves, and ends, with its folder, when its standard input does.
"""
import json
import os
import sys
import tempfile
from array import array

import eventlet

eventlet.patcher.monkey_patch(all=False, socket=True, select=True, thread=True)

from eventlet import hubs, wsgi
from swift.common import utils

CONF = """
[swift-hash]
swift_hash_path_suffix = test
[storage-policy:0]
name = one
default = yes
"""

STORE = """
[DEFAULT]
devices = {folder}/devices
mount_check = false
swift_dir = {folder}
bind_port = {port}
log_level = ERROR
fallocate_reserve = 0
disable_fallocate = true
[app:main]
use = egg:swift#{kind}
recon_cache_path = {folder}
"""

PROXY = """
[DEFAULT]
swift_dir = {folder}
log_level = ERROR
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats s3api tempauth bulk slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_kith_storage = {secret} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
"""


class Cache:
    """What the proxy asks of memcached."""

    def __init__(self):
        self.values = {}

    def get(self, key, raise_on_error=False):
        return self.values.get(key)

    def set(self, key, value, **_):
        self.values[key] = value

    def delete(self, key, **_):
        self.values.pop(key, None)


def with_cache(app, cache):
    def handle(env, start_response):
        env['swift.cache'] = cache
        return app(env, start_response)

    return handle


def serve(folder, secret):
    def write(name, text):
        path = os.path.join(folder, name)
        with open(path, 'w') as file:
            file.write(text)
        return path

    # Before what reads it as it is imported: the hash of paths and the policies.
    utils.SWIFT_CONF_FILE = write('swift.conf', CONF)
    utils.validate_configuration()
    from swift.common.http_protocol import SwiftHttpProtocol
    from swift.common.ring import RingData
    from swift.common.wsgi import loadapp

    os.makedirs(os.path.join(folder, 'devices', 'disk'))
    sockets = {kind: eventlet.listen(('127.0.0.1', 0)) for kind in ('account', 'container', 'object', 'proxy')}
    ports = {kind: socket.getsockname()[1] for kind, socket in sockets.items()}
    for kind in ('account', 'container', 'object'):
        device = {'id': 0, 'zone': 1, 'region': 1, 'weight': 1, 'device': 'disk', 'ip': '127.0.0.1', 'port': ports[kind]}
        RingData([array('H', [0])], [device], 32).save(os.path.join(folder, kind + '.ring.gz'))
    cache = Cache()
    for kind, socket in sockets.items():
        text = PROXY if kind == 'proxy' else STORE
        conf = write(kind + '.conf', text.format(folder=folder, kind=kind, port=ports[kind], secret=secret))
        app = loadapp(conf, global_conf={'log_name': kind})
        eventlet.spawn(
            wsgi.server, socket, with_cache(app, cache), utils.NullLogger(), protocol=SwiftHttpProtocol, capitalize_response_headers=False
        )
    print(json.dumps({'port': ports['proxy']}), flush=True)
    while True:
        hubs.trampoline(0, read=True)
        if not os.read(0, 1):
            return


with tempfile.TemporaryDirectory(prefix='kith-swift-') as base:
    serve(base, sys.argv[1])
# Without waiting for open connections.
sys.stdout.flush()
os._exit(0)
