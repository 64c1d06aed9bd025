# SPDX-License-Identifier: Apache-2.0
"""A private Slurm with two nodes on this machine: loopback only, without systemd and cgroups."""
import os
import shutil
import signal
import socket
import subprocess
import time

CONFIGURATION = """\
ClusterName=pinna
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={base}/munge/munge.socket,cred_expire=5
CredType=cred/munge
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmctldPort={ports[0]}
SlurmctldPidFile={base}/slurmctld.pid
SlurmdPidFile={base}/slurmd.%n.pid
StateSaveLocation={base}/state
SlurmdSpoolDir={base}/spool/%n
SlurmctldLogFile={base}/log/slurmctld.log
SlurmdLogFile={base}/log/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=requeue_delay=1,sched_interval=2,batch_sched_delay=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobRequeue=1
MinJobAge=3600
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=2 RealMemory=4000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=2 RealMemory=4000
PartitionName=render Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


class Slurm:
    """The daemons; `stop` ends exactly those that `start` began."""

    def __init__(self, base):
        self.base = base
        self.configuration = os.path.join(base, "slurm.conf")
        self.environment = dict(os.environ, SLURM_CONF=self.configuration)
        self.pid_files = []

    def start(self):
        for name in ("munge", "state", "log", "spool/n1", "spool/n2"):
            os.makedirs(os.path.join(self.base, name), mode=0o755, exist_ok=True)
        key = os.path.join(self.base, "munge/munge.key")
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(1024))
        text = CONFIGURATION.format(base=self.base, host=socket.gethostname().split(".")[0],
                                    ports=free_ports(3))
        with open(self.configuration, "w") as file:
            file.write(text)
        munge = os.path.join(self.base, "munge")
        self.daemon(["munged", "--force", "-S", munge + "/munge.socket", "--key-file", key,
                     "--log-file", munge + "/munged.log", "--pid-file", munge + "/munged.pid",
                     "--seed-file", munge + "/munge.seed"], munge + "/munged.pid")
        self.daemon(["slurmctld", "-f", self.configuration], self.base + "/slurmctld.pid")
        for node in ("n1", "n2"):
            self.daemon(["slurmd", "-N", node, "-f", self.configuration],
                        f"{self.base}/slurmd.{node}.pid")
        self.wait_for_nodes()

    def daemon(self, command, pid_file):
        path = shutil.which(command[0], path=os.environ["PATH"] + ":/usr/sbin:/sbin")
        self.pid_files.insert(0, pid_file)
        subprocess.run([path] + command[1:], check=True, env=self.environment, timeout=60,
                       stdout=subprocess.DEVNULL)

    def wait_for_nodes(self):
        for _ in range(60):
            if self.run(["sinfo", "-h", "-N", "-t", "idle", "-o", "%N"]).split() == ["n1", "n2"]:
                return
            time.sleep(1)
        raise RuntimeError("Slurm's nodes don't come up:\n" + self.run(["sinfo", "-R"]))

    def run(self, command):
        done = subprocess.run(command, env=self.environment, timeout=60, capture_output=True, text=True)
        return done.stdout

    def wait_for_jobs(self, seconds):
        """Waits until no job is left; whether that came to pass."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.run(["squeue", "-h"]).strip():
                return True
            time.sleep(2)
        return False

    def restarts(self):
        """How often each job was begun anew."""
        text = self.run(["scontrol", "show", "job"])
        return [int(word[9:]) for word in text.split() if word.startswith("Restarts=")]

    def stop(self):
        self.run(["scancel", "--state=PENDING,RUNNING", "--user=root"])
        pids = []
        for path in self.pid_files:
            try:
                with open(path) as file:
                    pids.append(int(file.read()))
                os.kill(pids[-1], signal.SIGTERM)
            except (OSError, ValueError):
                continue
            # slurmctld saves its state; munged has to outlive it.
            for _ in range(100):
                if not os.path.exists(f"/proc/{pids[-1]}"):
                    break
                time.sleep(0.1)
            else:
                os.kill(pids[-1], signal.SIGKILL)
